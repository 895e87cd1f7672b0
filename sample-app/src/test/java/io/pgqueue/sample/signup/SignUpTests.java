package io.pgqueue.sample.signup;

import io.pgqueue.sample.OnDevPostgres;

class SignUpTests extends SignUpContract implements OnDevPostgres {

}

package io.rowqueue.sample.signup;

import io.rowqueue.sample.OnDevPostgres;

class SignUpTests extends SignUpContract implements OnDevPostgres {

}

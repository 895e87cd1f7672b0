/**
 * People sign up; a mail and a webhook follow in jobs.
 */
@NullMarked
package io.pgqueue.sample.signup;

import org.jspecify.annotations.NullMarked;

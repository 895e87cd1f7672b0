/**
 * Users sign up; jobs send them a mail and notify another system.
 */
@NullMarked
package io.pgqueue.sample.signup;

import org.jspecify.annotations.NullMarked;

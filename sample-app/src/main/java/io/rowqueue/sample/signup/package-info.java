/**
 * Users sign up; jobs send them a mail and notify another system.
 */
@NullMarked
package io.rowqueue.sample.signup;

import org.jspecify.annotations.NullMarked;

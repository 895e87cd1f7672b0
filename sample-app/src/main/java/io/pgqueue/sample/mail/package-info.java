/**
 * The welcome mail, and an SMTP server that takes it when none is configured.
 */
@NullMarked
package io.pgqueue.sample.mail;

import org.jspecify.annotations.NullMarked;

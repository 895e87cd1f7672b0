/**
 * The welcome mail, and an SMTP server that takes it when none is configured.
 */
@NullMarked
package io.rowqueue.sample.mail;

import org.jspecify.annotations.NullMarked;

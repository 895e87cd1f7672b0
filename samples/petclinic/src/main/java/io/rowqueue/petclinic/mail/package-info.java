/**
 * Mails that the clinic has sent.
 */
@NullMarked
package io.rowqueue.petclinic.mail;

import org.jspecify.annotations.NullMarked;

/**
 * Mails that the clinic has sent.
 */
@NullMarked
package io.pgqueue.petclinic.mail;

import org.jspecify.annotations.NullMarked;

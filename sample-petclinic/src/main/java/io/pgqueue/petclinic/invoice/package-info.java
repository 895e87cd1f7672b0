/**
 * Invoices of completed visits.
 */
@NullMarked
package io.pgqueue.petclinic.invoice;

import org.jspecify.annotations.NullMarked;

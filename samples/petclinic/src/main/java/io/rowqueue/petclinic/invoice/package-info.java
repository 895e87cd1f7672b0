/**
 * Invoices of completed visits.
 */
@NullMarked
package io.rowqueue.petclinic.invoice;

import org.jspecify.annotations.NullMarked;

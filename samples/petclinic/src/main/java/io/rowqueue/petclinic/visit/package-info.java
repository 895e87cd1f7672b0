/**
 * Visits and their reminders.
 */
@NullMarked
package io.rowqueue.petclinic.visit;

import org.jspecify.annotations.NullMarked;

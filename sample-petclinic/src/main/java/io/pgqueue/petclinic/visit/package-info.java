/**
 * Visits and their reminders.
 */
@NullMarked
package io.pgqueue.petclinic.visit;

import org.jspecify.annotations.NullMarked;

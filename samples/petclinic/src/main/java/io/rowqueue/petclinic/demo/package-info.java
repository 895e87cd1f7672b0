/**
 * Visits to look at.
 */
@NullMarked
package io.rowqueue.petclinic.demo;

import org.jspecify.annotations.NullMarked;

/**
 * Visits to look at.
 */
@NullMarked
package io.pgqueue.petclinic.demo;

import org.jspecify.annotations.NullMarked;

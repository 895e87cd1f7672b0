/**
 * A clinic for pets that reminds of visits.
 */
@NullMarked
package io.rowqueue.petclinic;

import org.jspecify.annotations.NullMarked;

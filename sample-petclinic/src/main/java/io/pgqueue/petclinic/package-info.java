/**
 * A clinic for pets that reminds of visits.
 */
@NullMarked
package io.pgqueue.petclinic;

import org.jspecify.annotations.NullMarked;

/**
 * The clinic as its users see it.
 */
@NullMarked
package io.rowqueue.petclinic;

import org.jspecify.annotations.NullMarked;

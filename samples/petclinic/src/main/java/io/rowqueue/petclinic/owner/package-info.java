/**
 * Owners and their pets.
 */
@NullMarked
package io.rowqueue.petclinic.owner;

import org.jspecify.annotations.NullMarked;

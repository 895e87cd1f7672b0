/**
 * Owners and their pets.
 */
@NullMarked
package io.pgqueue.petclinic.owner;

import org.jspecify.annotations.NullMarked;

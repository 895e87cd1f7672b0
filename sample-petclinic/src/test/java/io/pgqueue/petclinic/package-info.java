/**
 * The clinic as its users see it.
 */
@NullMarked
package io.pgqueue.petclinic;

import org.jspecify.annotations.NullMarked;

/**
 * What the whole clinic shares: its settings, its database and its demo data.
 */
@NullMarked
package io.rowqueue.petclinic.clinic;

import org.jspecify.annotations.NullMarked;

/**
 * Imports contacts from CSV files, one job a row.
 */
@NullMarked
package io.rowqueue.sample.contact;

import org.jspecify.annotations.NullMarked;

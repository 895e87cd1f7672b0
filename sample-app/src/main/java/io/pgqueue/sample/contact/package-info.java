/**
 * Imports contacts from CSV files, one job a row.
 */
@NullMarked
package io.pgqueue.sample.contact;

import org.jspecify.annotations.NullMarked;

/**
 * Imports jobs and schedules from the tables of other schedulers.
 */
@NullMarked
package io.rowqueue.cli.importer;

import org.jspecify.annotations.NullMarked;

/**
 * Imports jobs and schedules from the tables of other schedulers.
 */
@NullMarked
package io.pgqueue.cli.importer;

import org.jspecify.annotations.NullMarked;

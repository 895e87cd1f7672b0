/**
 * Tests without PostgreSQL: jobs are recorded and do not run.
 */
@NullMarked
package io.rowqueue.test.recording;

import org.jspecify.annotations.NullMarked;

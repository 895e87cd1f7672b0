/**
 * A real PostgreSQL for development and tests that needs nothing installed.
 */
@NullMarked
package io.rowqueue.postgres;

import org.jspecify.annotations.NullMarked;

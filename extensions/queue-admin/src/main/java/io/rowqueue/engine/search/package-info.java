/**
 * Finds jobs by a filter, page by page, and reads one with its details.
 */
@NullMarked
package io.rowqueue.engine.search;

import org.jspecify.annotations.NullMarked;

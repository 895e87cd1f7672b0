/**
 * Carries out recorded operations, one by one or in bulk.
 */
@NullMarked
package io.rowqueue.engine.operation;

import org.jspecify.annotations.NullMarked;

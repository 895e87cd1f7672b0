/**
 * Carries out recorded operations, one by one or in bulk.
 */
@NullMarked
package io.pgqueue.engine.operation;

import org.jspecify.annotations.NullMarked;

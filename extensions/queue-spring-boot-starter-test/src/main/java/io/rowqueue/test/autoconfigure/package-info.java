/**
 * The annotations of test classes.
 */
@NullMarked
package io.rowqueue.test.autoconfigure;

import org.jspecify.annotations.NullMarked;

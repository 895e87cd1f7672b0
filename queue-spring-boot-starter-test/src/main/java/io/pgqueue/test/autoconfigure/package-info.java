/**
 * The annotations of test classes.
 */
@NullMarked
package io.pgqueue.test.autoconfigure;

import org.jspecify.annotations.NullMarked;

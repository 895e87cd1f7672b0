/**
 * What test classes are annotated with.
 */
@NullMarked
package io.pgqueue.test.autoconfigure;

import org.jspecify.annotations.NullMarked;

/**
 * OpenRewrite recipes that move an application to rowqueue.
 */
@NullMarked
package io.rowqueue.rewrite;

import org.jspecify.annotations.NullMarked;

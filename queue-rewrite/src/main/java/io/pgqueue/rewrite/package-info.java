/**
 * OpenRewrite recipes that move an application to pgqueue.
 */
@NullMarked
package io.pgqueue.rewrite;

import org.jspecify.annotations.NullMarked;

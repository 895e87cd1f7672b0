/** The module order. */
@NullMarked
package io.pgqueue.shop.order;

import org.jspecify.annotations.NullMarked;

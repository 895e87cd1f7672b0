/** The module order. */
@NullMarked
package io.rowqueue.shop.order;

import org.jspecify.annotations.NullMarked;

/** The module shipping. */
@NullMarked
package io.rowqueue.shop.shipping;

import org.jspecify.annotations.NullMarked;

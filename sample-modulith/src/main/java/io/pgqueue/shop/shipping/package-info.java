/** The module shipping. */
@NullMarked
package io.pgqueue.shop.shipping;

import org.jspecify.annotations.NullMarked;

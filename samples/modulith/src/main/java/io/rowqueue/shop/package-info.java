/** A shop of modules. */
@NullMarked
package io.rowqueue.shop;

import org.jspecify.annotations.NullMarked;

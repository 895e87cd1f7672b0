/** A shop of modules. */
@NullMarked
package io.pgqueue.shop;

import org.jspecify.annotations.NullMarked;

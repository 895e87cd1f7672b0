/** The module mail. */
@NullMarked
package io.rowqueue.shop.mail;

import org.jspecify.annotations.NullMarked;

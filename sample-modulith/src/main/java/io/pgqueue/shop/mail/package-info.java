/** The module mail. */
@NullMarked
package io.pgqueue.shop.mail;

import org.jspecify.annotations.NullMarked;

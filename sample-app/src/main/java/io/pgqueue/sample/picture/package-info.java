/**
 * Pictures and their thumbnails.
 */
@NullMarked
package io.pgqueue.sample.picture;

import org.jspecify.annotations.NullMarked;

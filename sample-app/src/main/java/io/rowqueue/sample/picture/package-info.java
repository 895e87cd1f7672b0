/**
 * Pictures and their thumbnails.
 */
@NullMarked
package io.rowqueue.sample.picture;

import org.jspecify.annotations.NullMarked;

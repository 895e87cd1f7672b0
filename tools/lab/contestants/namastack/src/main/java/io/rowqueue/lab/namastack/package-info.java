/** A contestant with libraries of its own. */
@NullMarked
package io.rowqueue.lab.namastack;

import org.jspecify.annotations.NullMarked;

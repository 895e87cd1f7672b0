/** A contestant with libraries of its own. */
@NullMarked
package io.pgqueue.lab.namastack;

import org.jspecify.annotations.NullMarked;

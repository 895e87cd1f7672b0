/** Measures the queue beside its peers, and breaks it on purpose. */
@NullMarked
package io.pgqueue.lab;

import org.jspecify.annotations.NullMarked;

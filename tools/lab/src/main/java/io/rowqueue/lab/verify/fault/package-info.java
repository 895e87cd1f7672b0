/** What is done to the queue on purpose. */
@NullMarked
package io.rowqueue.lab.verify.fault;

import org.jspecify.annotations.NullMarked;

/** What is done to the queue on purpose. */
@NullMarked
package io.pgqueue.lab.verify.fault;

import org.jspecify.annotations.NullMarked;

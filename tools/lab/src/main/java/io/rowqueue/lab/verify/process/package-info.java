/** What runs in a worker process: handlers, and enqueues. */
@NullMarked
package io.rowqueue.lab.verify.process;

import org.jspecify.annotations.NullMarked;

/** What runs in a worker process: handlers, and enqueues. */
@NullMarked
package io.pgqueue.lab.verify.process;

import org.jspecify.annotations.NullMarked;

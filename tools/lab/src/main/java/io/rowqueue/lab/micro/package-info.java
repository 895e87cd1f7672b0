/** JMH benchmarks of what the client alone does for a job. */
@NullMarked
package io.rowqueue.lab.micro;

import org.jspecify.annotations.NullMarked;

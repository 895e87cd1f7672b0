/** Worker processes: real JVMs that can be killed. */
@NullMarked
package io.rowqueue.lab.verify.worker;

import org.jspecify.annotations.NullMarked;

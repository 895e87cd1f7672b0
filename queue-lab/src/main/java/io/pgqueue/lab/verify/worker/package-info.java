/** Worker processes: real JVMs that can be killed. */
@NullMarked
package io.pgqueue.lab.verify.worker;

import org.jspecify.annotations.NullMarked;

/** The load under which the faults happen. */
@NullMarked
package io.pgqueue.lab.verify.load;

import org.jspecify.annotations.NullMarked;

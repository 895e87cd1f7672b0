/** The load under which the faults happen. */
@NullMarked
package io.rowqueue.lab.verify.load;

import org.jspecify.annotations.NullMarked;

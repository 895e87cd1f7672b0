/** The database of a round, and what can be done to it. */
@NullMarked
package io.rowqueue.lab.verify.site;

import org.jspecify.annotations.NullMarked;

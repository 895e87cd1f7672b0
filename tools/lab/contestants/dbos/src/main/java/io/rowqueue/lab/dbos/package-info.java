/** A contestant with libraries of its own. */
@NullMarked
package io.rowqueue.lab.dbos;

import org.jspecify.annotations.NullMarked;

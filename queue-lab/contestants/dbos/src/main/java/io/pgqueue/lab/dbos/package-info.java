/** A contestant with libraries of its own. */
@NullMarked
package io.pgqueue.lab.dbos;

import org.jspecify.annotations.NullMarked;

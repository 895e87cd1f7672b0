/** The database of a round, and what can be done to it. */
@NullMarked
package io.pgqueue.lab.verify.site;

import org.jspecify.annotations.NullMarked;

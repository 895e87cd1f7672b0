/**
 * Calls the listeners of an application in a thread of their own.
 */
@NullMarked
package io.pgqueue.engine.listen;

import org.jspecify.annotations.NullMarked;

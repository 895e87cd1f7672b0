/**
 * Claims jobs, runs their handlers, and writes how the attempts ended.
 */
@NullMarked
package io.rowqueue.engine.worker;

import org.jspecify.annotations.NullMarked;

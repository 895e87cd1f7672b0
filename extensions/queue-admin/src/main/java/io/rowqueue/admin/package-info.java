/**
 * The administration of jobs and queues: retry, cancel, pause, inspect and explain.
 */
@NullMarked
package io.rowqueue.admin;

import org.jspecify.annotations.NullMarked;

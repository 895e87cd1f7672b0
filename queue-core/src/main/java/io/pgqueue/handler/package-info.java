/**
 * Which method runs the jobs of a type, and how a payload becomes its argument.
 */
@NullMarked
package io.pgqueue.handler;

import org.jspecify.annotations.NullMarked;

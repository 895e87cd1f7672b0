/**
 * Traffic that shows all of this without a single request from outside.
 */
@NullMarked
package io.pgqueue.sample.demo;

import org.jspecify.annotations.NullMarked;

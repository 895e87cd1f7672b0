/**
 * Events of Spring Modulith, delivered as jobs.
 */
@NullMarked
package io.pgqueue.modulith;

import org.jspecify.annotations.NullMarked;

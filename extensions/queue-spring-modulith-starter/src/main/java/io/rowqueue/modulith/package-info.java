/**
 * Events of Spring Modulith, delivered as jobs.
 */
@NullMarked
package io.rowqueue.modulith;

import org.jspecify.annotations.NullMarked;

/**
 * Claims jobs: when, from which lanes, and how many.
 */
@NullMarked
package io.rowqueue.engine.claim;

import org.jspecify.annotations.NullMarked;

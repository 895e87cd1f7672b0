/**
 * Reads and changes jobs for the administration, and masks what a caller may not see.
 */
@NullMarked
package io.rowqueue.engine.admin;

import org.jspecify.annotations.NullMarked;

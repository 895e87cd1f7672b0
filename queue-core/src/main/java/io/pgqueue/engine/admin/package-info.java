/**
 * Reads and changes jobs for the administration, and masks what a caller may not see.
 */
@NullMarked
package io.pgqueue.engine.admin;

import org.jspecify.annotations.NullMarked;

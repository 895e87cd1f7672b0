/**
 * Changes that are checked, recorded and carried out for an administrator, one by one or
 * in bulk.
 */
@NullMarked
package io.rowqueue.admin.operation;

import org.jspecify.annotations.NullMarked;

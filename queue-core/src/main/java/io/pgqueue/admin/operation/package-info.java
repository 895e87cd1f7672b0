/**
 * Changes that are checked, recorded and carried out for an administrator, one by one or
 * in bulk.
 */
@NullMarked
package io.pgqueue.admin.operation;

import org.jspecify.annotations.NullMarked;

/**
 * Which jobs a search or a bulk operation takes: the filter, its text form and its parts.
 */
@NullMarked
package io.rowqueue.admin.filter;

import org.jspecify.annotations.NullMarked;

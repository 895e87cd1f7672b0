/**
 * Tools for assistants (Model Context Protocol): each is a request to the API of the
 * dashboard.
 */
@NullMarked
package io.rowqueue.mcp;

import org.jspecify.annotations.NullMarked;

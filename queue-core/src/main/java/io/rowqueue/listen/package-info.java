/**
 * Hooks of an application: listeners, interceptors and scopes around enqueues and
 * attempts.
 */
@NullMarked
package io.rowqueue.listen;

import org.jspecify.annotations.NullMarked;

/**
 * The queues that are measured side by side, the product among them, and what SQL alone
 * allows.
 */
@NullMarked
package io.rowqueue.lab.contestant;

import org.jspecify.annotations.NullMarked;

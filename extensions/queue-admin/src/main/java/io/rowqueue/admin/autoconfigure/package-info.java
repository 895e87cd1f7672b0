/** Auto-configuration of the administration of a queue. */
@NullMarked
package io.rowqueue.admin.autoconfigure;

import org.jspecify.annotations.NullMarked;

/**
 * What people ask the queue to change, in the dashboard or with the actuator endpoint:
 * checked, performed, recorded, logged and audited in one place.
 */
@NullMarked
package io.rowqueue.autoconfigure.admin;

import org.jspecify.annotations.NullMarked;

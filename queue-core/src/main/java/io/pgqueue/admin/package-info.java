/**
 * What people see of jobs and do to them: the same for code, endpoint and pages.
 */
@NullMarked
package io.pgqueue.admin;

import org.jspecify.annotations.NullMarked;

/**
 * Tests of the pages in a real browser. They need a Chromium on this machine, and are
 * skipped where there is none.
 */
@NullMarked
package io.rowqueue.dashboard.browser;

import org.jspecify.annotations.NullMarked;

/**
 * Makes the documentation a site: HTML pages that need no server and no other site.
 * {@link io.rowqueue.site.Site} is the entry point.
 */
@NullMarked
package io.rowqueue.site;

import org.jspecify.annotations.NullMarked;

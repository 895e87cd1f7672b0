/**
 * Makes the documentation a site: HTML pages that need no server and no other site.
 * {@link io.pgqueue.site.Site} is the entry point.
 */
@NullMarked
package io.pgqueue.site;

import org.jspecify.annotations.NullMarked;

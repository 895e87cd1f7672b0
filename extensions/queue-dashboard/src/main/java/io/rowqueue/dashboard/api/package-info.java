/**
 * What the resources of the JSON API have in common. A resource is a class of a package
 * below.
 */
@NullMarked
package io.rowqueue.dashboard.api;

import org.jspecify.annotations.NullMarked;

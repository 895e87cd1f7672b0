/**
 * Demo traffic, which shows the features without any request from outside.
 */
@NullMarked
package io.rowqueue.sample.demo;

import org.jspecify.annotations.NullMarked;

/**
 * Demo traffic, which shows the features without any request from outside.
 */
@NullMarked
package io.pgqueue.sample.demo;

import org.jspecify.annotations.NullMarked;

/**
 * The service provider interface of a message broker that carries jobs from the database
 * of the application to its workers.
 */
@NullMarked
package io.rowqueue.transport;

import org.jspecify.annotations.NullMarked;

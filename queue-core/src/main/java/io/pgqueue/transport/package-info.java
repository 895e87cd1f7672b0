/**
 * The service provider interface of a message broker that carries jobs from the database
 * of the application to its workers.
 */
@NullMarked
package io.pgqueue.transport;

import org.jspecify.annotations.NullMarked;

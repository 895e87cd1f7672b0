package io.rowqueue.engine.worker;

import java.util.Set;

import io.rowqueue.engine.handler.HandlerRegistry;

/**
 * What an application declares in its properties and on its handlers, and stores before
 * its worker starts.
 *
 * @since 0.1.0
 */
public interface DeclaredAtStart {

	/**
	 * Stores the declarations, or lets a task of the maintenance do that later if the
	 * database is not available.
	 * @param handlers the handlers of the application
	 * @return what the row of the worker says of them
	 */
	Set<String> write(HandlerRegistry handlers);

}

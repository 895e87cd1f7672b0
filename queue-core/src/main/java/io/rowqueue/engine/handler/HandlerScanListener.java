package io.rowqueue.engine.handler;

import java.lang.reflect.Method;

/**
 * Learns which methods of beans are handlers, so that a part can read annotations of its
 * own on them. A part whose annotation declares a handler as well annotates it with
 * {@link io.rowqueue.JobHandler}. An exception prevents the start of the application.
 */
public interface HandlerScanListener {

	/**
	 * Checks the type that the annotations of a method name, before the handler is added.
	 * @param method the method
	 * @param description where it is in the application's code
	 * @param type the type, which may be empty
	 * @throws InvalidJobHandlerException if the annotations name no type
	 */
	default void check(Method method, String description, String type) {
	}

	/**
	 * Is called when a handler was added.
	 * @param method its method
	 * @param description where that is in the application's code
	 * @param type the type of the jobs that it runs
	 */
	void added(Method method, String description, String type);

	/**
	 * Is called once, when all handlers are known and before any lifecycle bean starts.
	 * @param handlers the handlers of the application
	 */
	void completed(HandlerRegistry handlers);

}

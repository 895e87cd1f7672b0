package io.pgqueue.window;

import java.util.List;
import java.util.Optional;

/**
 * The windows of the cluster. What changes here takes part in the transaction of the
 * caller, if there is one, and holds for the claims of all workers from its commit on.
 *
 * @since 0.1.0
 */
public interface Windows {

	/**
	 * Writes down a window, in place of one of the same name. One of the properties
	 * {@code pgqueue.windows} is written down again when the application starts.
	 * @param window the window
	 */
	void put(Window window);

	/**
	 * Removes a window: its queues and types are run at any time.
	 * @param name its name
	 * @return whether there was one
	 */
	boolean remove(String name);

	/**
	 * Finds one.
	 * @param name its name
	 * @return the window as it is now
	 */
	Optional<WindowStatus> find(String name);

	/**
	 * All of them.
	 * @return by name
	 */
	List<WindowStatus> list();

}

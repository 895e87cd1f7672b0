package io.rowqueue.window;

import java.util.List;
import java.util.Optional;

/**
 * The windows of the cluster. Changes take part in the transaction of the caller, if
 * there is one, and apply to the claims of all workers once they are committed.
 *
 * @since 0.1.0
 */
public interface Windows {

	/**
	 * Stores a window, and replaces an existing one with the same name. A window of the
	 * properties {@code rowqueue.windows} is stored again when the application starts.
	 * @param window the window
	 */
	void put(Window window);

	/**
	 * Removes a window. Its queues and types then run at any time.
	 * @param name the name of the window
	 * @return whether the window existed
	 */
	boolean remove(String name);

	/**
	 * Finds a window.
	 * @param name the name of the window
	 * @return a snapshot of the window; empty if it does not exist
	 * @throws IllegalArgumentException if the JDK of this process does not know its time
	 * zone
	 */
	Optional<WindowStatus> find(String name);

	/**
	 * Lists all windows, except those whose time zone the JDK of this process does not
	 * know.
	 * @return the windows, ordered by name
	 */
	List<WindowStatus> list();

}

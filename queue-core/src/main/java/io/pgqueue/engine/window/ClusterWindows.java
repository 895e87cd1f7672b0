package io.pgqueue.engine.window;

import java.util.List;
import java.util.Optional;

import io.pgqueue.window.Window;
import io.pgqueue.window.WindowStatus;
import io.pgqueue.window.Windows;

/** The default implementation of {@link Windows}. */
public final class ClusterWindows implements Windows {

	private final WindowStore store;

	/**
	 * Creates the windows.
	 * @param store the store, which takes part in the caller's transaction
	 */
	public ClusterWindows(WindowStore store) {
		this.store = store;
	}

	@Override
	public void put(Window window) {
		this.store.put(window, window.opening(this.store.now()), true);
	}

	@Override
	public boolean remove(String name) {
		return this.store.remove(name);
	}

	@Override
	public Optional<WindowStatus> find(String name) {
		return this.store.find(name);
	}

	@Override
	public List<WindowStatus> list() {
		return this.store.list();
	}

}

package io.pgqueue.engine.window;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import io.pgqueue.window.Window;
import io.pgqueue.window.WindowStatus;
import io.pgqueue.window.Windows;

/** The default implementation of {@link Windows}. */
public final class ClusterWindows implements Windows {

	private final Supplier<WindowStore> stores;

	/**
	 * Creates the windows.
	 * @param store the store
	 */
	public ClusterWindows(WindowStore store) {
		this(() -> store);
	}

	/**
	 * Creates the windows of an application.
	 * @param stores returns the store for a call, which takes part in the caller's
	 * transaction, or commits each statement if there is none
	 */
	public ClusterWindows(Supplier<WindowStore> stores) {
		this.stores = stores;
	}

	private WindowStore store() {
		return this.stores.get();
	}

	@Override
	public void put(Window window) {
		store().put(window, window.opening(store().now()), true);
	}

	@Override
	public boolean remove(String name) {
		return store().remove(name);
	}

	@Override
	public Optional<WindowStatus> find(String name) {
		return store().find(name);
	}

	@Override
	public List<WindowStatus> list() {
		return store().list();
	}

}

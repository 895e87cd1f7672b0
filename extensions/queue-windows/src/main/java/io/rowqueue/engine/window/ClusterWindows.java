package io.rowqueue.engine.window;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import io.rowqueue.window.Window;
import io.rowqueue.window.WindowStatus;
import io.rowqueue.window.Windows;

/** The default implementation of {@link Windows}. */
public final class ClusterWindows implements Windows {

	private final Supplier<WindowStore> stores;

	/**
	 * Creates windows whose statements are all executed in the same way.
	 * @param store the store
	 */
	public ClusterWindows(WindowStore store) {
		this(() -> store);
	}

	/**
	 * Creates the windows.
	 * @param stores returns the store for a call: one that takes part in the caller's
	 * transaction, or one that commits each statement
	 */
	public ClusterWindows(Supplier<WindowStore> stores) {
		this.stores = stores;
	}

	@Override
	public void put(Window window) {
		WindowStore store = this.stores.get();
		store.put(window, window.opening(store.now()), true);
	}

	@Override
	public boolean remove(String name) {
		return this.stores.get().remove(name);
	}

	@Override
	public Optional<WindowStatus> find(String name) {
		return this.stores.get().find(name);
	}

	@Override
	public List<WindowStatus> list() {
		return this.stores.get().list();
	}

}

package io.rowqueue.engine.window;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.rowqueue.window.Window;

/**
 * The windows that an application declares. They are stored before its worker starts, so
 * that no job runs while its window is closed.
 *
 * @param windows the declared windows
 * @param types the types with a handler
 * @param bound the windows that handlers name, by type
 */
public record DeclaredWindows(List<Window> windows, Set<String> types, Map<String, String> bound) {

	/** Copies the collections. */
	public DeclaredWindows {
		windows = List.copyOf(windows);
		types = Set.copyOf(types);
		bound = Map.copyOf(bound);
	}

	/** Returns the declarations of the application's worker. */
	public Set<String> labels() {
		return this.windows.stream().map((window) -> "window:" + window.name()).collect(Collectors.toUnmodifiableSet());
	}

	/**
	 * Returns the names of the windows that a handler can name.
	 * @param store the windows of the cluster
	 * @return the names, sorted
	 */
	public Set<String> known(WindowStore store) {
		Set<String> names = new TreeSet<>(store.names());
		this.windows.forEach((window) -> names.add(window.name()));
		return names;
	}

	/**
	 * Stores the declarations, and replaces those of others for these windows and types.
	 * @param store the windows of the cluster
	 */
	public void write(WindowStore store) {
		if (!this.windows.isEmpty()) {
			Instant now = store.now();
			this.windows.forEach((window) -> store.put(window, window.opening(now), false));
		}
		store.bind(this.types, this.bound);
	}

}

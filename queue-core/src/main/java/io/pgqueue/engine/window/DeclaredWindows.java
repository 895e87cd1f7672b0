package io.pgqueue.engine.window;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.pgqueue.window.Window;

/**
 * What an application says of windows. It is written down before its worker starts, so
 * that no job runs that a window keeps back.
 *
 * @param windows the windows that it declares
 * @param types the types that it has a handler for
 * @param bound the names of their windows, by type, of those whose handler names one
 */
public record DeclaredWindows(List<Window> windows, Set<String> types, Map<String, String> bound) {

	/** Copies what could change. */
	public DeclaredWindows {
		windows = List.copyOf(windows);
		types = Set.copyOf(types);
		bound = Map.copyOf(bound);
	}

	/** What a worker says that its application declares. */
	public Set<String> labels() {
		return this.windows.stream().map((window) -> "window:" + window.name()).collect(Collectors.toUnmodifiableSet());
	}

	/**
	 * The names of the windows that a handler can name.
	 * @param store the windows of the cluster
	 * @return sorted
	 */
	public Set<String> known(WindowStore store) {
		Set<String> names = new TreeSet<>();
		this.windows.forEach((window) -> names.add(window.name()));
		store.list().forEach((status) -> names.add(status.window().name()));
		return names;
	}

	/**
	 * Writes it down, in place of what others have said of these windows and types.
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

package io.rowqueue.window.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.handler.InvalidJobHandlerException;
import io.rowqueue.engine.support.PropertyName;
import io.rowqueue.engine.window.DeclaredWindows;
import io.rowqueue.engine.window.WindowStore;
import io.rowqueue.engine.worker.DeclaredAtStart;
import io.rowqueue.engine.worker.WriteAtStart;
import io.rowqueue.window.Window;

/**
 * The windows that the application declares, stored before its worker starts; if the
 * database is not available then, as soon as it is.
 */
final class WindowsAtStart implements DeclaredAtStart {

	private final WindowStore store;

	private final List<Window> windows;

	private final WriteAtStart written = new WriteAtStart("windows");

	WindowsAtStart(WindowStore store, List<Window> windows) {
		this.store = store;
		this.windows = windows;
	}

	/**
	 * {@inheritDoc}
	 * @throws InvalidJobHandlerException if a handler names a window that does not exist
	 */
	@Override
	public Set<String> write(HandlerRegistry handlers) {
		Map<String, String> bound = new TreeMap<>();
		handlers.types().forEach((type) -> {
			String window = handlers.options(type).window();
			if (window != null) {
				bound.put(type, window);
			}
		});
		DeclaredWindows declared = new DeclaredWindows(this.windows, handlers.types(), bound);
		this.written.write(() -> {
			check(declared, handlers);
			declared.write(this.store);
		});
		return declared.labels();
	}

	/**
	 * Stores the windows if they could not be stored before.
	 * @throws InvalidJobHandlerException if a handler names a window that does not exist
	 */
	void writeMissing() {
		this.written.writeMissing();
	}

	private void check(DeclaredWindows declared, HandlerRegistry handlers) {
		if (declared.bound().isEmpty()) {
			return;
		}
		Set<String> known = declared.known(this.store);
		declared.bound().forEach((type, window) -> {
			if (!known.contains(window)) {
				throw refused(handlers, type, window, known);
			}
		});
	}

	private static InvalidJobHandlerException refused(HandlerRegistry handlers, String type, String window,
			Set<String> known) {
		String handler = handlers.find(type).map((each) -> each.description()).orElse(type);
		String reason = "names the window '%s', which does not exist: %s".formatted(window,
				known.isEmpty() ? "there are no windows" : "there are " + String.join(", ", known));
		String action = "Use the name of a window that exists, or declare it: %s.times=… A window that is created in code must be in the"
			.formatted(PropertyName.of("rowqueue.windows", window)) + " database before the application starts.";
		return new InvalidJobHandlerException(handler, reason, action);
	}

}

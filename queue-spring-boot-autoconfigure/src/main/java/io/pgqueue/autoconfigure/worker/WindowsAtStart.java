package io.pgqueue.autoconfigure.worker;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.pgqueue.engine.handler.HandlerRegistry;
import io.pgqueue.engine.handler.InvalidJobHandlerException;
import io.pgqueue.engine.support.Outage;
import io.pgqueue.engine.window.DeclaredWindows;
import io.pgqueue.engine.window.WindowStore;
import io.pgqueue.window.Window;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the application says of windows, written down before its worker starts; if the
 * database is away then, as soon as it is back.
 */
final class WindowsAtStart {

	private static final Logger logger = LoggerFactory.getLogger(WindowsAtStart.class);

	private final WindowStore store;

	private final List<Window> windows;

	private volatile Runnable unwritten = () -> {
	};

	WindowsAtStart(WindowStore store, List<Window> windows) {
		this.store = store;
		this.windows = windows;
	}

	/**
	 * Writes it down, unless the database is away.
	 * @return what was declared
	 * @throws InvalidJobHandlerException if a handler names a window that does not exist
	 */
	DeclaredWindows write(HandlerRegistry handlers) {
		Map<String, String> bound = new TreeMap<>();
		handlers.types().forEach((type) -> {
			String window = handlers.options(type).window();
			if (window != null) {
				bound.put(type, window);
			}
		});
		DeclaredWindows declared = new DeclaredWindows(this.windows, handlers.types(), bound);
		this.unwritten = () -> {
			check(declared, handlers);
			declared.write(this.store);
		};
		try {
			writeMissing();
		}
		catch (RuntimeException ex) {
			if (!Outage.isAway(ex)) {
				throw ex;
			}
			logger.debug("The windows are written down when the database is back", ex);
		}
		return declared;
	}

	/**
	 * Writes down what could not be written before; does nothing if there is nothing.
	 * @throws InvalidJobHandlerException if a handler names a window that does not exist
	 */
	void writeMissing() {
		this.unwritten.run();
		this.unwritten = () -> {
		};
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
		String reason = "is to run in the window '%s', and there is none of that name: %s".formatted(window,
				known.isEmpty() ? "there are no windows" : "there are " + String.join(", ", known));
		String action = "Give it the name of a window that exists, or declare it: pgqueue.windows.%s.times=… A window of"
			.formatted(window) + " code has to be in the database before the application starts.";
		return new InvalidJobHandlerException(handler, reason, action);
	}

}

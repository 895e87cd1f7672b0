package io.rowqueue.window.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.rowqueue.window.ClosingPolicy;
import io.rowqueue.window.Window;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A window that queues and types run in.
 *
 * @param zone Time zone of the times.
 * @param times When the window is open, such as MON-FRI 23:00-06:00; one or a list.
 * @param closing What to do about running jobs when the window closes.
 * @param queues Queues that run only while it is open.
 * @param types Types that run only while it is open.
 */
record WindowProperties(@DefaultValue("UTC") String zone, @DefaultValue List<String> times,
		@DefaultValue("finish") ClosingPolicy closing, @DefaultValue Set<String> queues,
		@DefaultValue Set<String> types) {

	/**
	 * Returns the window.
	 * @param name its name
	 * @throws IllegalArgumentException if a value is invalid
	 */
	Window window(String name) {
		return Window.of(name, this.zone, whole(this.times))
			.queues(this.queues.toArray(String[]::new))
			.types(this.types.toArray(String[]::new))
			.closing(this.closing);
	}

	/**
	 * The binder splits a list in one line at its commas, which may also separate days.
	 */
	private static String[] whole(List<String> parts) {
		List<String> times = new ArrayList<>();
		List<String> days = new ArrayList<>();
		for (String part : parts) {
			days.add(part);
			if (part.contains(":")) {
				times.add(String.join(",", days));
				days.clear();
			}
		}
		if (!days.isEmpty()) {
			times.add(String.join(",", days));
		}
		return times.toArray(String[]::new);
	}

}

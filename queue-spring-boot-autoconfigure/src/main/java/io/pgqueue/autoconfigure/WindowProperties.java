package io.pgqueue.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.pgqueue.window.ClosingPolicy;
import io.pgqueue.window.Window;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * When queues and types are run.
 *
 * @param windows Windows that queues and types are run in, by name.
 */
@ConfigurationProperties("pgqueue")
public record WindowProperties(@DefaultValue Map<String, TimeWindow> windows) {

	public WindowProperties {
		windows.forEach((name, window) -> window.check(name));
	}

	public List<Window> all() {
		List<Window> all = new ArrayList<>();
		this.windows.forEach((name, window) -> all.add(window.window(name)));
		return all;
	}

	/**
	 * A window.
	 *
	 * @param zone Time zone of the times.
	 * @param times When it is open.
	 * @param closing What becomes of running jobs when it closes.
	 * @param queues Queues that are run only while it is open.
	 * @param types Types that are run only while it is open.
	 */
	public record TimeWindow(@DefaultValue("UTC") String zone, @DefaultValue List<String> times,
			@DefaultValue("finish") ClosingPolicy closing, @DefaultValue Set<String> queues,
			@DefaultValue Set<String> types) {

		Window window(String name) {
			return Window.of(name, this.zone, whole(this.times))
				.queues(this.queues.toArray(String[]::new))
				.types(this.types.toArray(String[]::new))
				.closing(this.closing);
		}

		private void check(String name) {
			try {
				window(name);
			}
			catch (IllegalArgumentException ex) {
				// no cause: Boot would show its message and not this one
				throw new IllegalArgumentException("pgqueue.windows" + PropertyCheck.key(name) + "." + ex.getMessage());
			}
		}

		/** A list in one line is cut at its commas, which may stand between days. */
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

}

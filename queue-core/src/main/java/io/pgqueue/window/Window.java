package io.pgqueue.window;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.pgqueue.engine.support.RequestChecks;
import org.springframework.util.Assert;

/**
 * Recurring times during which queues and types run. While a window is closed, no worker
 * claims their jobs. Immutable: every method that sets a value returns a changed copy.
 *
 * <pre class="code">
 * Window.of("night", "Europe/Moscow", "MON-FRI 23:00-06:00").queues("reports").closing(ClosingPolicy.STOP)
 * </pre>
 *
 * A local time that a change of the clocks skips counts as the moment of the change. If a
 * local time occurs twice, its first occurrence counts.
 *
 * @param name the name of the window in the whole cluster
 * @param zone the time zone of the times
 * @param times when the window is open
 * @param closing what happens to running jobs when the window closes
 * @param queues the queues that run only while the window is open
 * @param types the types that run only while the window is open
 * @since 0.1.0
 */
public record Window(String name, ZoneId zone, List<TimeRange> times, ClosingPolicy closing, Set<String> queues,
		Set<String> types) {

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException if a value is not allowed; the message names it
	 */
	public Window {
		RequestChecks.name("name", name);
		RequestChecks.present("zone", zone);
		RequestChecks.present("closing", closing);
		Assert.isTrue(!times.isEmpty(), "times must not be empty: a window must open at some time");
		times = List.copyOf(times);
		queues.forEach((queue) -> RequestChecks.name("queues", queue));
		types.forEach((type) -> RequestChecks.name("types", type));
		queues = Set.copyOf(queues);
		types = Set.copyOf(types);
	}

	/**
	 * Creates a window without queues and types.
	 * @param name the name of the window in the whole cluster
	 * @param zone the name of a time zone, such as {@code Europe/Moscow}
	 * @param times such as {@code MON-FRI 23:00-06:00}, see {@link TimeRange#parse}
	 * @return the window
	 */
	public static Window of(String name, String zone, String... times) {
		try {
			return new Window(name, ZoneId.of(zone), Arrays.stream(times).map(TimeRange::parse).toList(),
					ClosingPolicy.FINISH, Set.of(), Set.of());
		}
		catch (DateTimeException ex) {
			throw new IllegalArgumentException("zone must be a time zone such as Europe/Berlin or UTC, not '" + zone
					+ "' (" + ex.getMessage() + ")", ex);
		}
	}

	/**
	 * Adds queues that run only while the window is open.
	 * @param names the names of the queues
	 * @return a changed copy
	 */
	public Window queues(String... names) {
		return new Window(this.name, this.zone, this.times, this.closing, with(this.queues, names), this.types);
	}

	/**
	 * Adds types that run only while the window is open.
	 * @param names the names of the types
	 * @return a changed copy
	 */
	public Window types(String... names) {
		return new Window(this.name, this.zone, this.times, this.closing, this.queues, with(this.types, names));
	}

	/**
	 * Sets what happens to running jobs when the window closes.
	 * @param policy the policy; {@link ClosingPolicy#FINISH} by default
	 * @return a changed copy
	 */
	public Window closing(ClosingPolicy policy) {
		return new Window(this.name, this.zone, this.times, policy, this.queues, this.types);
	}

	/**
	 * Returns the time in which the window is open at the given time, or opens next after
	 * it.
	 * @param at the given time
	 * @return when the window opens and closes
	 */
	public Opening opening(Instant at) {
		return new WindowTimes(this.zone, this.times).opening(at);
	}

	private static Set<String> with(Set<String> names, String... added) {
		Set<String> all = new TreeSet<>(names);
		all.addAll(List.of(added));
		return all;
	}

	/**
	 * A time in which a window is open.
	 *
	 * @param from when the window opens
	 * @param until when the window closes; more than a week later if it never closes
	 */
	public record Opening(Instant from, Instant until) {

	}

}

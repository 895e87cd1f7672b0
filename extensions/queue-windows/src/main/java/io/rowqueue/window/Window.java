package io.rowqueue.window;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.rowqueue.engine.support.RequestChecks;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * Recurring times during which queues and types run. While a window is closed, no worker
 * claims their jobs. Immutable: every method that sets a value returns a changed copy,
 * and throws {@link IllegalArgumentException} if the value is not allowed.
 *
 * <pre class="code">
 * Window.of("night", "Europe/Moscow", "MON-FRI 23:00-06:00").queues("reports").closing(ClosingPolicy.STOP)
 * </pre>
 *
 * A local time that a change of the clocks skips counts as the moment of the change. If a
 * local time occurs twice, its first occurrence counts.
 *
 * @since 0.1.0
 */
public final class Window {

	private final String name;

	private final ZoneId zone;

	private final List<OpeningHours> times;

	private final ClosingPolicy closing;

	private final Set<String> queues;

	private final Set<String> types;

	private Window(String name, ZoneId zone, List<OpeningHours> times, ClosingPolicy closing, Set<String> queues,
			Set<String> types) {
		RequestChecks.name("name", name);
		RequestChecks.present("closing", closing);
		Assert.isTrue(!times.isEmpty(), "times must not be empty: a window must open at some time");
		queues.forEach((queue) -> RequestChecks.name("queues", queue));
		types.forEach((type) -> RequestChecks.name("types", type));
		this.name = name;
		this.zone = zone;
		this.times = List.copyOf(times);
		this.closing = closing;
		this.queues = Set.copyOf(queues);
		this.types = Set.copyOf(types);
	}

	/**
	 * Creates a window without queues and types.
	 * @param name the name of the window in the whole cluster
	 * @param zone the name of a time zone, such as {@code Europe/Moscow}
	 * @param times such as {@code MON-FRI 23:00-06:00}, see {@link OpeningHours#parse}
	 * @return the window
	 */
	public static Window of(String name, String zone, String... times) {
		try {
			return new Window(name, ZoneId.of(zone), Arrays.stream(times).map(OpeningHours::parse).toList(),
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

	/** Returns the name of the window in the whole cluster. */
	public String name() {
		return this.name;
	}

	/** Returns the time zone of the times. */
	public ZoneId zone() {
		return this.zone;
	}

	/** Returns when the window is open. */
	public List<OpeningHours> times() {
		return this.times;
	}

	/** Returns what happens to running jobs when the window closes. */
	public ClosingPolicy closing() {
		return this.closing;
	}

	/** Returns the queues that run only while the window is open. */
	public Set<String> queues() {
		return this.queues;
	}

	/** Returns the types that run only while the window is open. */
	public Set<String> types() {
		return this.types;
	}

	private static Set<String> with(Set<String> names, String... added) {
		Set<String> all = new TreeSet<>(names);
		all.addAll(List.of(added));
		return all;
	}

	private List<Object> values() {
		return List.of(this.name, this.zone, this.times, this.closing, this.queues, this.types);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof Window window && values().equals(window.values());
	}

	@Override
	public int hashCode() {
		return values().hashCode();
	}

	@Override
	public String toString() {
		return "Window" + values();
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

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
 * A time in which queues and types are run; outside of it no worker claims their jobs.
 * Immutable: the methods return a changed copy.
 *
 * <pre class="code">
 * Window.of("night", "Europe/Moscow", "MON-FRI 23:00-06:00").queues("reports").closing(ClosingPolicy.STOP)
 * </pre>
 *
 * A time that the clocks leap over counts as the moment of the leap; of a time that they
 * show twice, the first one counts.
 *
 * @param name names it in the whole cluster
 * @param zone whose clocks count
 * @param times when it is open
 * @param closing what becomes of running jobs when it closes
 * @param queues the queues that are run only while it is open
 * @param types the types that are run only while it is open
 * @since 0.1.0
 */
public record Window(String name, ZoneId zone, List<TimeRange> times, ClosingPolicy closing, Set<String> queues,
		Set<String> types) {

	/**
	 * Checks every value.
	 * @throws IllegalArgumentException naming the value that is wrong and what is allowed
	 */
	public Window {
		RequestChecks.name("name", name);
		RequestChecks.present("zone", zone);
		RequestChecks.present("closing", closing);
		Assert.isTrue(!times.isEmpty(), "times must not be empty: a window opens sometimes");
		times = List.copyOf(times);
		queues.forEach((queue) -> RequestChecks.name("queues", queue));
		types.forEach((type) -> RequestChecks.name("types", type));
		queues = Set.copyOf(queues);
		types = Set.copyOf(types);
	}

	/**
	 * A window that nothing is run in yet.
	 * @param name names it in the whole cluster
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
	 * Adds queues that are run only while it is open.
	 * @param names their names
	 * @return a changed copy
	 */
	public Window queues(String... names) {
		return new Window(this.name, this.zone, this.times, this.closing, with(this.queues, names), this.types);
	}

	/**
	 * Adds types that are run only while it is open.
	 * @param names their names
	 * @return a changed copy
	 */
	public Window types(String... names) {
		return new Window(this.name, this.zone, this.times, this.closing, this.queues, with(this.types, names));
	}

	/**
	 * Says what becomes of running jobs when it closes.
	 * @param policy {@link ClosingPolicy#FINISH} unless it is said
	 * @return a changed copy
	 */
	public Window closing(ClosingPolicy policy) {
		return new Window(this.name, this.zone, this.times, policy, this.queues, this.types);
	}

	/**
	 * The time in which it is open: the one that holds at some time, or the next.
	 * @param at the time
	 * @return from when until when
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
	 * @param from when it opens
	 * @param until when it closes, more than a week later if it never does
	 */
	public record Opening(Instant from, Instant until) {

	}

}

package io.rowqueue.engine.worker;

import java.time.Duration;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

/**
 * How a worker listens for notifications.
 *
 * @param enabled whether it does; if not, it polls
 * @param dataSource leads to the server itself, past any pooler; {@code null}: the
 * worker's own connections do
 * @param echo how long a notification may take that the worker sends itself
 * @param check how long it relies on what it heard
 * @param retry the pause before it listens again after a failure
 */
public record ListenerSettings(boolean enabled, @Nullable DataSource dataSource, Duration echo, Duration check,
		Duration retry) {

	/** Over the worker's own connections. */
	public static final ListenerSettings DEFAULT = of(true, null);

	/**
	 * With the usual times.
	 * @param enabled whether to listen
	 * @param dataSource leads past the pooler; {@code null}: there is none
	 */
	public static ListenerSettings of(boolean enabled, @Nullable DataSource dataSource) {
		return new ListenerSettings(enabled, dataSource, Duration.ofSeconds(5), Duration.ofMinutes(1),
				Duration.ofMinutes(1));
	}

}

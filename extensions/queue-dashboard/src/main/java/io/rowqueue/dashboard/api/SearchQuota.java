package io.rowqueue.dashboard.api;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.rowqueue.dashboard.DashboardCaller;
import io.rowqueue.dashboard.http.Problem;

/**
 * Bounds searches for a text, exports and previews of changes: they read more than a
 * page. Two run at once in a process, and a caller starts at most thirty a minute.
 */
public final class SearchQuota {

	static final int PER_MINUTE = 30;

	static final int AT_ONCE = 2;

	private static final int MAX_CALLERS = 1000;

	private static final long MINUTE = Duration.ofMinutes(1).toNanos();

	private static final int SECONDS_WHEN_BUSY = 2;

	private final Semaphore running = new Semaphore(AT_ONCE);

	private final LongSupplier nanoTime;

	/** The times of the latest searches by caller, the least recent caller first. */
	private final Map<String, Deque<Long>> started = new LinkedHashMap<>(16, 0.75f, true) {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Deque<Long>> eldest) {
			return size() > MAX_CALLERS;
		}

	};

	/** Creates the quota. */
	public SearchQuota() {
		this(System::nanoTime);
	}

	SearchQuota(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Searches, if the bounds allow it.
	 * @throws io.rowqueue.dashboard.http.ProblemException {@code busy} if they do not
	 */
	public <T> T search(DashboardCaller caller, Supplier<T> search) {
		if (!this.running.tryAcquire()) {
			throw Problem.later(Problem.Kind.BUSY, "Other searches are running.", SECONDS_WHEN_BUSY);
		}
		try {
			start(caller);
			return search.get();
		}
		finally {
			this.running.release();
		}
	}

	/**
	 * Counts a search that is bounded otherwise.
	 * @throws io.rowqueue.dashboard.http.ProblemException {@code busy} if the caller has
	 * started too many
	 */
	public synchronized void start(DashboardCaller caller) {
		long now = this.nanoTime.getAsLong();
		Deque<Long> times = this.started.computeIfAbsent(who(caller), (name) -> new ArrayDeque<>());
		while (!times.isEmpty() && now - times.peek() > MINUTE) {
			times.remove();
		}
		if (times.size() >= PER_MINUTE) {
			long wait = MINUTE - (now - times.element());
			throw Problem.later(Problem.Kind.BUSY, "At most " + PER_MINUTE + " searches a minute.",
					(int) Duration.ofNanos(wait).toSeconds() + 1);
		}
		times.add(now);
	}

	/** Callers of whom nothing is known share a quota. */
	private static String who(DashboardCaller caller) {
		String name = (caller.name() != null) ? caller.name() : caller.address();
		return Objects.requireNonNullElse(name, "");
	}

}

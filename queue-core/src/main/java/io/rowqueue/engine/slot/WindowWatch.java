package io.rowqueue.engine.slot;

import java.time.Duration;
import java.util.Collection;
import java.util.function.LongSupplier;

import io.rowqueue.StopReason;
import io.rowqueue.engine.job.JobWindows.Stopped;
import io.rowqueue.engine.job.JobWindows;
import io.rowqueue.engine.support.Pace;
import io.rowqueue.engine.support.QueueClass;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops the running jobs of windows that have closed, where that is their policy. Where
 * there are no such windows, it asks for some every ten seconds and does nothing else;
 * while no job runs, it does nothing at all.
 */
public final class WindowWatch {

	private static final Duration LOOK_EVERY = Duration.ofSeconds(10);

	private static final Logger logger = LoggerFactory.getLogger(WindowWatch.class);

	private final JobWindows windows;

	private final Pools pools;

	private final Pace look;

	private boolean any = true;

	public WindowWatch(JobWindows windows, Pools pools, LongSupplier nanoTime) {
		this.windows = windows;
		this.pools = pools;
		this.look = new Pace(LOOK_EVERY, nanoTime);
	}

	/** Looks if jobs run, and waits for the database. */
	public void turn() {
		if (this.pools.running().isEmpty()) {
			return;
		}
		if (this.look.isDue()) {
			this.any = this.windows.anyStops(); // or it is asked again at the next turn
			this.look.next();
		}
		if (!this.any) {
			return;
		}
		Collection<Stopped> stopped = this.windows.stopped();
		this.pools.running()
			.stream()
			.filter((job) -> job.stopReason() == null && (isStopped("queue", job.queue(), stopped)
					|| isStopped("queue", QueueClass.of(job.queue()), stopped) || isStopped("type", job.type(), stopped)
					|| isStopped("window", job.window(), stopped)))
			.forEach((job) -> {
				logger.info("{} is requested to stop: its window has closed", job);
				job.interrupt(StopReason.WINDOW_CLOSED);
			});
	}

	private static boolean isStopped(String kind, @Nullable String name, Collection<Stopped> stopped) {
		return name != null && stopped.contains(new Stopped(kind, name));
	}

}

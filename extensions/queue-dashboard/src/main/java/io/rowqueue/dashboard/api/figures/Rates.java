package io.rowqueue.dashboard.api.figures;

import java.util.List;
import java.util.Objects;

import io.rowqueue.engine.figures.Counts;
import org.jspecify.annotations.Nullable;

/**
 * What happened lately.
 *
 * @param endedPerMinute how many jobs finished in the latest minute: succeeded, failed or
 * cancelled
 * @param failedPerMinute how many of them failed; attempts that are retried are not among
 * them
 * @param retriedPerMinute how many attempts failed in it and are retried
 * @param perMinute how many jobs finished in each of the last 30 minutes
 */
public record Rates(double endedPerMinute, double failedPerMinute, double retriedPerMinute, List<Long> perMinute) {

	static Rates of(List<@Nullable Counts> minutes) {
		Counts latest = Objects.requireNonNullElse(minutes.get(minutes.size() - 1), Counts.NONE);
		return new Rates(latest.ended(), latest.failed(), latest.retried(),
				minutes.stream().map((each) -> (each != null) ? each.ended() : 0L).toList());
	}

}

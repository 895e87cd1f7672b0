package io.rowqueue.lab.verify.verdict;

import java.time.Duration;
import java.util.List;

import io.rowqueue.lab.verify.verdict.Finding.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The verdict on a round.
 *
 * @param acknowledged jobs whose enqueue was acknowledged
 * @param unknown jobs whose enqueue failed in a way that may have stored them
 * @param rolledBack jobs whose transaction was rolled back
 * @param runs how often a handler began
 * @param onPurpose runs that failed on purpose
 * @param interrupted runs that a fault cut short or made void, so that the job ran again
 * @param late runs that a worker began when its lease was lost and it did not know yet
 * @param staleRefused runs that ended well, but no longer held the lease, and were
 * refused
 * @param longestPause the longest time in which no job ended
 * @param recovery the longest time from a harm to the next run of a job that it hit;
 * {@code null}: none was hit
 * @param findings what must not be
 */
public record Verdict(int acknowledged, int unknown, int rolledBack, int runs, int onPurpose, int interrupted, int late,
		int staleRefused, Duration longestPause, @Nullable Duration recovery, List<Finding> findings) {

	/** Whether nothing was found. */
	public boolean isGood() {
		return this.findings.isEmpty();
	}

	/** How many findings there are of a kind. */
	public long count(Kind kind) {
		return this.findings.stream().filter((finding) -> finding.kind() == kind).count();
	}

}

package io.pgqueue.store;

import java.util.List;

/**
 * What a promotion has done, and where the next one may begin.
 *
 * @param jobs those that are queued now, by queue
 * @param mark the low-water mark: what was due before is promoted, unless it was locked
 * or not yet committed
 */
public record Promotion(List<PromotedJobs> jobs, String mark) {

	/** The mark of one that looks at all scheduled jobs. */
	public static final String FROM_THE_BEGINNING = "-infinity";

	/** How many jobs it has promoted. */
	public int count() {
		return this.jobs.stream().mapToInt(PromotedJobs::jobs).sum();
	}

}

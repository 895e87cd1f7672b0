package io.rowqueue.engine.explain;

import io.rowqueue.admin.Verdict;
import io.rowqueue.engine.explain.JobFacts.Awaited;
import org.jspecify.annotations.Nullable;

/** Explains what a job waits for that is blocked, or whose handler waits for jobs. */
final class BlockedFindings {

	private final @Nullable Awaited awaited;

	BlockedFindings(JobFacts facts) {
		this.awaited = facts.awaited();
	}

	Finding finding() {
		Awaited known = this.awaited;
		if (known != null && known.batchId() != null) {
			return batch(known);
		}
		if (known == null || known.jobId() == null) {
			return new Finding(Verdict.WAITS_FOR_JOBS,
					"The jobs that it waited for have finished, and it will be released within a second. If it is not, check"
							+ " whether a process with a worker is running, and its log lines about rowqueue-maintain.");
		}
		return jobs(known);
	}

	private static Finding batch(Awaited awaited) {
		String rest = awaited.batchOpen() ? ", which has not been closed; " : "; ";
		return new Finding(Verdict.WAITS_FOR_BATCH,
				"It waits for batch " + awaited.batchId() + " (" + awaited.batchName() + ")" + rest
						+ awaited.batchPending() + " of its " + awaited.batchTotal() + " jobs have not finished.")
			.with("batch", awaited.batchId())
			.with("batchTotal", awaited.batchTotal())
			.with("batchPending", awaited.batchPending());
	}

	private static Finding jobs(Awaited awaited) {
		String first = "It waits for job " + awaited.jobId() + ((awaited.type() != null)
				? " (" + awaited.type() + ", " + awaited.state() + ")" : ", which has finished");
		String help = "failed".equals(awaited.state())
				? " Fix the cause of its failure and retry it, or cancel this job." : "";
		return new Finding(Verdict.WAITS_FOR_JOBS, first + others(awaited.jobs() - 1) + "." + help)
			.with("behind", awaited.jobId())
			.with("behindState", awaited.state())
			.with("behindJobs", awaited.jobs());
	}

	private static String others(int others) {
		if (others == 0) {
			return "";
		}
		return " and " + others + ((others + 1 < Awaited.MAX_AWAITED_JOBS) ? "" : " or more")
				+ ((others == 1) ? " other" : " others");
	}

}

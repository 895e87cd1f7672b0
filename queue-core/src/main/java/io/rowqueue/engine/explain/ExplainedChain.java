package io.rowqueue.engine.explain;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

import io.rowqueue.admin.Estimate;
import io.rowqueue.admin.Explanation;
import io.rowqueue.engine.explain.JobFacts.Facts;

/**
 * Explains a job. If it waits for another one, its estimate follows from that of the
 * other one, along at most {@value #MAX_JOBS} jobs.
 */
public final class ExplainedChain {

	private static final int MAX_JOBS = 4;

	private final ExplainDatabase database;

	private final UnaryOperator<JobFacts> maskFacts;

	private final UnaryOperator<List<LimitFacts>> maskLimits;

	private final String elsewhere;

	/**
	 * Creates the explanation.
	 * @param database reads the facts
	 * @param maskFacts masks the facts about a job
	 * @param maskLimits masks its limits
	 * @param elsewhere where a job can be that is not in the database, as a sentence;
	 * empty: nowhere
	 */
	public ExplainedChain(ExplainDatabase database, UnaryOperator<JobFacts> maskFacts,
			UnaryOperator<List<LimitFacts>> maskLimits, String elsewhere) {
		this.database = database;
		this.maskFacts = maskFacts;
		this.maskLimits = maskLimits;
		this.elsewhere = elsewhere;
	}

	/** Explains the state of a job. */
	public Explanation explain(long id) {
		return explain(id, this.database.job().execute(id), 1);
	}

	private Explanation explain(long id, JobFacts facts, int jobs) {
		List<LimitFacts> limits = this.database.limits().execute(id);
		WaitFacts waits = (limits.isEmpty() && facts.awaited() == null) ? WaitFacts.NONE
				: this.database.waits().execute(id);
		return Explainer.explain(id, this.maskFacts.apply(facts), this.maskLimits.apply(limits), waits,
				(other) -> end(other, jobs + 1), this.elsewhere);
	}

	private Estimate end(long id, int jobs) {
		if (jobs > MAX_JOBS) {
			return Estimate.none("more than " + (MAX_JOBS - 1) + " jobs come before it, one after the other");
		}
		JobFacts facts = this.database.job().execute(id);
		Facts job = facts.job();
		if (job == null || job.finishedAt() != null) {
			return Estimate.of(Duration.ZERO, Duration.ZERO, "job " + id + " has finished");
		}
		return new Estimates(facts, job, List.of(), WaitFacts.NONE, (other) -> Estimate.none(""))
			.end(explain(id, facts, jobs).estimate());
	}

}

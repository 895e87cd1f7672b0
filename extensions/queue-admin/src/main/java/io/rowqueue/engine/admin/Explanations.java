package io.rowqueue.engine.admin;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import io.rowqueue.admin.Explanation;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.explain.ExplainAllStatement.ExplainedJob;
import io.rowqueue.engine.explain.ExplainAllStatement;
import io.rowqueue.engine.explain.ExplainStatement;
import io.rowqueue.engine.explain.Explainer;
import io.rowqueue.engine.explain.LimitFactsStatement;
import io.rowqueue.masking.TextMasker;
import org.springframework.util.Assert;

/** Explains why jobs wait, with masked texts. */
final class Explanations {

	private final ExplainStatement job;

	private final LimitFactsStatement limits;

	private final ExplainAllStatement all;

	private final Supplier<String> carriedJobs;

	/**
	 * Creates the explanations.
	 * @param database reads the facts
	 * @param carriedJobs describes the jobs that a broker carries, as a sentence; empty:
	 * there is no broker
	 */
	Explanations(QueueDatabase database, Supplier<String> carriedJobs) {
		this.job = new ExplainStatement(database);
		this.limits = new LimitFactsStatement(database);
		this.all = new ExplainAllStatement(database);
		this.carriedJobs = carriedJobs;
	}

	/** Explains the state of a job. */
	Explanation explain(long id, TextMasker masker) {
		MaskedFacts masked = new MaskedFacts(masker);
		return Explainer.explain(id, masked.of(this.job.execute(id)), masked.of(this.limits.execute(id)),
				this.carriedJobs.get());
	}

	/** Explains the states of several jobs, in the given order. */
	Map<Long, Explanation> explainAll(Collection<Long> ids, TextMasker masker) {
		Assert.isTrue(ids.size() <= JobSearch.MAX_PAGE, () -> "at most " + JobSearch.MAX_PAGE + " jobs");
		MaskedFacts masked = new MaskedFacts(masker);
		Map<Long, ExplainedJob> known = this.all.execute(ids);
		Map<Long, Explanation> explanations = new LinkedHashMap<>();
		for (long id : ids) {
			ExplainedJob job = known.get(id);
			explanations.put(id, (job != null)
					? Explainer.explain(id, masked.of(job.facts()), masked.of(job.limits()), this.carriedJobs.get())
					: Explainer.unknown(id, this.carriedJobs.get()));
		}
		return explanations;
	}

}

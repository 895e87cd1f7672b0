package io.pgqueue.enqueue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.pgqueue.EnqueueResult;
import io.pgqueue.EnqueueResult.Outcome;
import io.pgqueue.Flow.Step;
import io.pgqueue.FlowResult;
import io.pgqueue.JobRequest;
import io.pgqueue.store.NewStep;
import io.pgqueue.store.NewJob;

/**
 * A flow to store.
 *
 * @param name the name of the flow
 * @param steps its jobs, each after those that it runs after
 */
record NewFlow(String name, List<NewStep> steps) {

	static NewFlow of(String name, List<Step> steps, Function<JobRequest, NewJob> writer) {
		Map<String, Integer> positions = new HashMap<>();
		List<NewStep> written = new ArrayList<>(steps.size());
		for (Step step : steps) {
			positions.put(step.name(), written.size());
			written.add(new NewStep(step.name(), writer.apply(step.request()),
					step.after().stream().map(positions::get).toList()));
		}
		return new NewFlow(name, written);
	}

	List<NewJob> jobs() {
		return this.steps.stream().map(NewStep::job).toList();
	}

	List<EnqueueResult> results(FlowResult flow) {
		return this.steps.stream().map((step) -> new EnqueueResult(flow.jobId(step.name()), Outcome.CREATED)).toList();
	}

	/** Those of the jobs that may run at once. */
	List<JobRequest> first() {
		return this.steps.stream()
			.filter((step) -> step.after().isEmpty())
			.map((step) -> step.job().request())
			.toList();
	}

}

package io.pgqueue.engine.enqueue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.pgqueue.EnqueueResult;
import io.pgqueue.EnqueueResult.Outcome;
import io.pgqueue.JobRequest;
import io.pgqueue.engine.job.NewJob;
import io.pgqueue.engine.job.NewStep;
import io.pgqueue.flow.Flow.Step;
import io.pgqueue.flow.FlowResult;

/**
 * A flow to store.
 *
 * @param name the name of the flow
 * @param steps its jobs, each after those that it waits for
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

	/** Returns the requests of the jobs that can run at once. */
	List<JobRequest> first() {
		return this.steps.stream()
			.filter((step) -> step.after().isEmpty())
			.map((step) -> step.job().request())
			.toList();
	}

}

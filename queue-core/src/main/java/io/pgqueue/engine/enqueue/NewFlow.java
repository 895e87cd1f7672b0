package io.pgqueue.engine.enqueue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.pgqueue.EnqueueResult;
import io.pgqueue.EnqueueResult.Outcome;
import io.pgqueue.JobRequest;
import io.pgqueue.engine.job.NewFlowJob;
import io.pgqueue.engine.job.NewJob;
import io.pgqueue.flow.FlowJob;
import io.pgqueue.flow.FlowResult;

/**
 * A flow to store.
 *
 * @param name the name of the flow
 * @param flowJobs its jobs, each after those that it waits for
 */
record NewFlow(String name, List<NewFlowJob> flowJobs) {

	static NewFlow of(String name, List<FlowJob> jobs, Function<JobRequest, NewJob> writer) {
		Map<String, Integer> positions = new HashMap<>();
		List<NewFlowJob> written = new ArrayList<>(jobs.size());
		for (FlowJob job : jobs) {
			positions.put(job.name(), written.size());
			written.add(new NewFlowJob(job.name(), writer.apply(job.request()),
					job.after().stream().map(positions::get).toList()));
		}
		return new NewFlow(name, written);
	}

	List<NewJob> jobs() {
		return this.flowJobs.stream().map(NewFlowJob::job).toList();
	}

	List<EnqueueResult> results(FlowResult flow) {
		return this.flowJobs.stream().map((job) -> new EnqueueResult(flow.jobId(job.name()), Outcome.CREATED)).toList();
	}

	/** Returns the requests of the jobs that can run at once. */
	List<JobRequest> first() {
		return this.flowJobs.stream().filter((job) -> job.after().isEmpty()).map((job) -> job.job().request()).toList();
	}

}

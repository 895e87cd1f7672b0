package io.rowqueue.engine.enqueue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import io.rowqueue.EnqueueResult;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.job.EnqueueStore;
import io.rowqueue.engine.job.EnqueueStore.StoredFlow;
import io.rowqueue.engine.job.NewFlowJob;
import io.rowqueue.engine.job.NewJob;
import io.rowqueue.flow.Flow;
import io.rowqueue.flow.Flow.Adder;
import io.rowqueue.flow.FlowJob;

/**
 * A flow or an addition to store.
 *
 * @param flow the flow
 * @param flowJobs its jobs, each after those that it waits for
 */
record NewFlow(Flow flow, List<NewFlowJob> flowJobs) {

	static NewFlow of(Flow flow, List<FlowJob> jobs, Function<JobRequest, NewJob> writer) {
		return new NewFlow(flow,
				jobs.stream()
					.map((job) -> new NewFlowJob(job.name(), writer.apply(job.request()), job.after(), job.before()))
					.toList());
	}

	StoredFlow store(EnqueueStore store) {
		Adder adder = this.flow.adder();
		return (adder != null) ? store.extend(adder, this.flowJobs, this.flow.isBeforeSuccessors())
				: store.enqueue(this.flow.name(), this.flowJobs);
	}

	/**
	 * Returns what the statements write: an addition is stored before it is checked for
	 * cycles.
	 */
	WriteKind writes() {
		boolean placed = this.flow.isBeforeSuccessors()
				|| this.flowJobs.stream().anyMatch((job) -> !job.before().isEmpty());
		return (placed || jobs().stream().anyMatch(NewJob::isDecidedByKey)) ? WriteKind.UNTIL_REJECTED
				: WriteKind.AFTER_CHECKS;
	}

	List<NewJob> jobs() {
		return this.flowJobs.stream().map(NewFlowJob::job).toList();
	}

	List<EnqueueResult> results(StoredFlow stored) {
		return this.flowJobs.stream()
			.map((job) -> new EnqueueResult(stored.result().jobId(job.name()),
					stored.kept().contains(job.name()) ? Outcome.KEPT : Outcome.CREATED))
			.toList();
	}

	/** Returns the requests of the jobs that wait for no other of them. */
	List<JobRequest> first() {
		Set<String> names = new HashSet<>();
		this.flowJobs.forEach((job) -> names.add(job.name()));
		return this.flowJobs.stream()
			.filter((job) -> job.after().stream().noneMatch(names::contains))
			.map((job) -> job.job().request())
			.toList();
	}

}

package io.pgqueue.dashboard.api;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.pgqueue.admin.QueueOverview;
import io.pgqueue.admin.WorkerView;
import io.pgqueue.dashboard.api.Views.Worker;
import io.pgqueue.dashboard.http.ApiCall;
import io.pgqueue.dashboard.http.Problem;
import io.pgqueue.dashboard.http.Route;
import io.pgqueue.engine.figures.ProcessRecord;
import org.jspecify.annotations.Nullable;

/** Who runs jobs. */
public final class WorkersApi implements Resource {

	private final Reads reads;

	private final QueueReaders readers;

	/**
	 * Creates the resource.
	 * @param reads reads in a transaction
	 * @param readers reads workers
	 */
	public WorkersApi(Reads reads, QueueReaders readers) {
		this.reads = reads;
		this.readers = readers;
	}

	@Override
	public List<Route> routes() {
		return List.of(Route.get("workers", (call) -> all()), Route.get("workers/{id}", this::one));
	}

	Workers all() {
		return this.reads.read((at) -> new Workers(at, workers()));
	}

	private WorkerDetail one(ApiCall call) {
		long id = call.id();
		return this.reads.read((at) -> workers().stream()
			.filter((worker) -> worker.id() == id)
			.findFirst()
			.map((worker) -> new WorkerDetail(at, worker, running(id, at)))
			.orElseThrow(() -> Problem.Kind.NOT_FOUND.because("There is no such worker, or it has stopped.")));
	}

	private List<Worker> workers() {
		List<WorkerView> workers = this.readers.overview().workers();
		Map<Long, ProcessRecord> processes = this.readers.figures()
			.processes()
			.find(workers.stream().map(WorkerView::id).toList())
			.stream()
			.collect(Collectors.toMap(ProcessRecord::workerId, (process) -> process));
		return workers.stream().map((worker) -> Worker.of(worker, processes.get(worker.id()))).toList();
	}

	private List<RunningJob> running(long worker, Instant at) {
		return this.readers.overview()
			.running(QueueOverview.MAX_RESULTS)
			.stream()
			.filter((job) -> job.workerId() == worker)
			.map((job) -> new RunningJob(job.jobId(), job.type(), job.queue(), "running", job.attempt(),
					at.minus(job.age()), job.cancelRequested()))
			.toList();
	}

	record Workers(Instant at, List<Worker> items) {

	}

	record WorkerDetail(Instant at, Worker worker, List<RunningJob> running) {

	}

	record RunningJob(long id, String type, String queue, String state, int attempt, @Nullable Instant startedAt,
			boolean cancelRequested) {

	}

}

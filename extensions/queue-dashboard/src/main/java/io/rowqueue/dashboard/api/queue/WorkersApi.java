package io.rowqueue.dashboard.api.queue;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.JobView;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.admin.filter.JobListState;
import io.rowqueue.dashboard.Level;
import io.rowqueue.dashboard.api.ActionRoutes;
import io.rowqueue.dashboard.api.Maskers;
import io.rowqueue.dashboard.api.QueueReaders;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.api.Resource;
import io.rowqueue.dashboard.api.Views.Worker;
import io.rowqueue.dashboard.api.job.JobAnswers.Job;
import io.rowqueue.dashboard.http.ApiCall;
import io.rowqueue.dashboard.http.Problem;
import io.rowqueue.dashboard.http.Route;
import io.rowqueue.masking.TextMasker;

/** Who runs jobs. */
public final class WorkersApi implements Resource {

	private final Reads reads;

	private final QueueReaders readers;

	private static final Map<String, Level> ACTIONS = Map.of("quiet", Level.OPERATE, "resume", Level.OPERATE, "slots",
			Level.OPERATE, "restart", Level.OPERATE);

	private final Maskers maskers;

	private final ActionRoutes actions;

	/**
	 * Creates the resource.
	 * @param reads reads in a transaction
	 * @param readers reads workers and jobs
	 * @param maskers decides what is shown
	 * @param actions changes workers
	 */
	public WorkersApi(Reads reads, QueueReaders readers, Maskers maskers, ActionRoutes actions) {
		this.actions = actions;
		this.reads = reads;
		this.readers = readers;
		this.maskers = maskers;
	}

	@Override
	public List<Route> routes() {
		return List.of(Route.get("workers", (call) -> all()), Route.get("workers/{id}", this::one),
				this.actions.post("workers/{id}", "id", "workers", ACTIONS));
	}

	Workers all() {
		return this.reads.read((at) -> new Workers(at, workers(QueueOverview.MAX_RESULTS)));
	}

	private WorkerDetail one(ApiCall call) {
		long id = call.id();
		TextMasker masker = this.maskers.of(call);
		return this.reads.read((at) -> workers(QueueOverview.MAX_WORKERS).stream()
			.filter((worker) -> worker.id() == id)
			.findFirst()
			.map((worker) -> new WorkerDetail(at, worker, running(worker, masker)))
			.orElseThrow(() -> Problem.Kind.NOT_FOUND.because("There is no such worker, or it has stopped.")));
	}

	private List<Worker> workers(int limit) {
		return Worker.all(this.readers.overview().workers(limit), this.readers.figures().processes());
	}

	/** Those that it runs, before those that it is about to run. */
	private List<Job> running(Worker worker, TextMasker masker) {
		JobFilter held = JobFilter.builder()
			.state(JobListState.RUNNING, JobListState.STARTING)
			.worker(worker.id())
			.build();
		return this.readers.search()
			.find(held, null, JobSearch.MAX_PAGE)
			.jobs()
			.stream()
			.sorted(Comparator.comparing((JobView job) -> !job.state().equals("running")))
			.map((job) -> Job.of(job, null, Map.of(worker.id(), worker.name()), masker))
			.toList();
	}

	record Workers(Instant at, List<Worker> items) {

	}

	record WorkerDetail(Instant at, Worker worker, List<Job> running) {

	}

}

package io.rowqueue.dashboard.api.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.rowqueue.admin.BoundedCount;
import io.rowqueue.admin.LaneView;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.admin.WorkerView;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.admin.filter.JobListState;
import io.rowqueue.control.Pause;
import io.rowqueue.dashboard.Level;
import io.rowqueue.dashboard.api.ActionRoutes;
import io.rowqueue.dashboard.api.Count;
import io.rowqueue.dashboard.api.Maskers;
import io.rowqueue.dashboard.api.QueueReaders;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.api.Resource;
import io.rowqueue.dashboard.api.Views.Lane;
import io.rowqueue.dashboard.api.Views.LimitValue;
import io.rowqueue.dashboard.api.Views.PauseInfo;
import io.rowqueue.dashboard.api.Views.Worker;
import io.rowqueue.dashboard.api.figures.LatestRates;
import io.rowqueue.dashboard.api.figures.Rates;
import io.rowqueue.dashboard.http.ApiCall;
import io.rowqueue.dashboard.http.Problem;
import io.rowqueue.dashboard.http.Route;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.limit.LimitView;
import io.rowqueue.masking.TextMasker;
import org.jspecify.annotations.Nullable;

/** The queues. */
public final class QueuesApi implements Resource {

	private static final String ANY = "*";

	private static final List<JobListState> COUNTED = List.of(JobListState.BLOCKED, JobListState.SCHEDULED,
			JobListState.QUEUED, JobListState.STARTING, JobListState.RUNNING, JobListState.STUCK, JobListState.FAILED);

	static final Map<String, Level> ACTIONS = Map.of("pause", Level.OPERATE, "resume", Level.OPERATE, "retry",
			Level.OPERATE, "limit", Level.ADMIN, "unlimit", Level.ADMIN);

	private final Reads reads;

	private final QueueReaders readers;

	private final Maskers maskers;

	private final ActionRoutes actions;

	private final Duration staleAfter;

	private final LatestRates rates;

	/**
	 * Creates the resource.
	 * @param reads reads in a transaction
	 * @param readers reads the queue
	 * @param maskers decides what is shown
	 * @param actions changes queues
	 * @param staleAfter how old the measurement may be
	 */
	public QueuesApi(Reads reads, QueueReaders readers, Maskers maskers, ActionRoutes actions, Duration staleAfter) {
		this.reads = reads;
		this.readers = readers;
		this.maskers = maskers;
		this.actions = actions;
		this.staleAfter = staleAfter;
		this.rates = new LatestRates(readers.figures().tallies());
	}

	@Override
	public List<Route> routes() {
		return List.of(Route.get("queues", (call) -> all(this.maskers.of(call))), Route.get("queues/{name}", this::one),
				this.actions.post("queues/{name}", "name", "queues", ACTIONS, (action, name) -> action.equals("retry")
						&& this.readers.areManyFailed(JobFilter.builder().queue(name))));
	}

	private Queues all(TextMasker masker) {
		return this.reads.read((at) -> {
			Snapshot snapshot = snapshot(at);
			return new Queues(at, snapshot.measured.at(), this.staleAfter.toMillis(), snapshot.queues(masker),
					snapshot.others());
		});
	}

	private QueueDetail one(ApiCall call) {
		String name = call.name("name");
		TextMasker masker = this.maskers.of(call);
		List<LaneView> lanes = this.reads.read((at) -> this.readers.overview().lanes(name, null));
		Snapshot snapshot = snapshotWith(name, lanes);
		return this.reads.read((at) -> new QueueDetail(at, snapshot.measured.at(), this.staleAfter.toMillis(),
				snapshot.queue(name, masker), lanes.stream().map(Lane::of).toList(),
				Worker.listed(snapshot.workersOf(name), this.readers.figures().processes())));
	}

	/** What is known of all queues, without what happened in them lately. */
	public Snapshot state(Instant at) {
		return new Snapshot(Measured.of(this.readers.measurements().get(), at),
				this.readers.overview().workers(QueueOverview.MAX_WORKERS), this.readers.jobs().pauses(),
				this.readers.limits().list(), Map.of(), Map.of());
	}

	public Snapshot snapshot(Instant at) {
		Snapshot found = state(at);
		return new Snapshot(found.measured, found.workers, found.pauses, found.limits,
				this.rates.ofQueues(found.names(), at), Map.of());
	}

	/**
	 * What is known of all queues, and of one queue also if it is one of so many that the
	 * measurement does not name it.
	 * @throws io.rowqueue.dashboard.http.ProblemException if nothing is known of the
	 * queue
	 */
	private Snapshot snapshotWith(String name, List<LaneView> lanes) {
		Snapshot snapshot = this.reads.read(this::snapshot);
		if (snapshot.names().contains(name)) {
			return snapshot;
		}
		Map<String, Count> counts = new LinkedHashMap<>();
		for (JobListState state : COUNTED) {
			BoundedCount found = Reads
				.checked(() -> this.readers.search().count(JobFilter.builder().state(state).queue(name).build()));
			if (found.value() > 0) {
				counts.put(state.label(), found.exact() ? Count.exact(found.value()) : Count.atLeast(found.value()));
			}
		}
		if (counts.isEmpty()) {
			throw Problem.Kind.NOT_FOUND.because("Nothing is known of a queue of this name.");
		}
		return new Snapshot(snapshot.measured, snapshot.workers, snapshot.pauses, snapshot.limits, snapshot.rates,
				Map.of(name, new Counted(counts, lanes)));
	}

	/** What happened to all jobs lately. */
	public @Nullable Rates rates(Instant at) {
		return this.rates.ofAll(at).get("");
	}

	/**
	 * Whether a worker lives and has slots for a queue: of its own, or those for all
	 * others.
	 */
	private static boolean serves(WorkerView worker, String queue) {
		return worker.deadAt() == null && (worker.queues().contains(queue) || worker.queues().contains(ANY));
	}

	/** The slots for all others are not for a queue that has its own. */
	private static int slots(WorkerView worker, String queue) {
		Map<String, Integer> slots = worker.queueSlots();
		return slots.getOrDefault(queue, slots.getOrDefault(ANY, 0));
	}

	/**
	 * What is known of all queues at a time.
	 *
	 * @param counted what was read of queues that are not measured
	 */
	public record Snapshot(Measured measured, List<WorkerView> workers, List<Pause> pauses, List<LimitView> limits,
			Map<String, Rates> rates, Map<String, Counted> counted) {

		/** Those that have jobs, are paused or limited, or have slots of their own. */
		public Set<String> names() {
			Set<String> names = new TreeSet<>(this.measured.queues());
			this.pauses.stream()
				.filter((pause) -> pause.kind().equals(Pause.QUEUE))
				.map(Pause::name)
				.forEach(names::add);
			this.limits.stream()
				.filter((limit) -> limit.kind() == LimitKind.QUEUE)
				.map(LimitView::name)
				.forEach(names::add);
			this.workers.stream()
				.filter((worker) -> worker.deadAt() == null)
				.flatMap((worker) -> worker.queues().stream())
				.filter((queue) -> !queue.equals(ANY))
				.forEach(names::add);
			return names;
		}

		/** How many there are: at least as many, if others are measured together. */
		public Count known() {
			int names = names().size();
			return (others() != null) ? Count.atLeast(names) : Count.exact(names);
		}

		public List<Queue> queues(TextMasker masker) {
			return names().stream().map((name) -> queue(name, masker)).toList();
		}

		/** Those whose jobs are due longest or have failed, if there are more. */
		public List<Queue> queues(TextMasker masker, int max) {
			List<Queue> all = queues(masker);
			return (all.size() <= max) ? all
					: all.stream()
						.sorted(Comparator.comparing(Queue::oldestMs, Comparator.nullsLast(Comparator.reverseOrder()))
							.thenComparing((queue) -> -queue.jobs().getOrDefault("failed", Count.exact(0)).value()))
						.limit(max)
						.toList();
		}

		/**
		 * The living workers with slots for a queue; if the types of its waiting jobs are
		 * known, those that have a handler for one of them.
		 */
		List<WorkerView> workersOf(String queue) {
			Counted known = this.counted.get(queue);
			Set<String> types = (known != null) ? known.types() : this.measured.waitingTypes(queue);
			return this.workers.stream()
				.filter((worker) -> serves(worker, queue)
						&& (types.isEmpty() || worker.types().stream().anyMatch(types::contains)))
				.toList();
		}

		/**
		 * Whether a living worker is known to run a type of the waiting jobs of a queue.
		 */
		public boolean isServed(String queue) {
			return !this.measured.waitingTypes(queue).isEmpty() && !workersOf(queue).isEmpty();
		}

		/** What is known of the queues that the measurement does not name. */
		public @Nullable OtherQueues others() {
			Map<String, Count> counts = this.measured.counts(Measured::isOfOthers);
			return counts.isEmpty() ? null
					: new OtherQueues(counts, Measured.waiting(counts), this.measured.oldestMs(Measured::isOfOthers));
		}

		Queue queue(String name, TextMasker masker) {
			Counted known = this.counted.get(name);
			Map<String, Count> counts = (known != null) ? known.jobs()
					: this.measured.counts((figure) -> name.equals(figure.queue()));
			Long oldestMs = (known != null) ? known.oldestMs()
					: this.measured.oldestMs((figure) -> name.equals(figure.queue()));
			List<WorkerView> serving = workersOf(name);
			Optional<Pause> pause = this.pauses.stream()
				.filter((each) -> each.isOf(name))
				.max(Comparator.comparing((each) -> each.name().equals(name))); // before
																				// that of
																				// its
																				// class
			Optional<LimitView> limit = this.limits.stream()
				.filter((each) -> each.kind() == LimitKind.QUEUE && each.name().equals(name))
				.findFirst();
			return new Queue(name, counts, Measured.waiting(counts), oldestMs, serving.size(),
					serving.stream().mapToInt((worker) -> slots(worker, name)).sum(),
					pause.map((each) -> PauseInfo.of(each, masker)).orElse(null),
					limit.map((each) -> LimitValue.of(each.limit())).orElse(null), this.rates.get(name));
		}

	}

	/** How many jobs by state a queue has, and its lanes. */
	record Counted(Map<String, Count> jobs, List<LaneView> lanes) {

		/** The types of its waiting jobs. */
		Set<String> types() {
			return this.lanes.stream().map(LaneView::type).collect(Collectors.toSet());
		}

		@Nullable Long oldestMs() {
			return this.lanes.isEmpty() ? null : Long.valueOf(this.lanes.get(0).age().toMillis());
		}

	}

	record Queues(Instant at, @Nullable Instant measuredAt, long staleAfterMs, List<Queue> items,
			@Nullable OtherQueues others) {

	}

	/** All queues that the measurement does not name, together. */
	public record OtherQueues(Map<String, Count> jobs, Count waiting, @Nullable Long oldestMs) {

	}

	record QueueDetail(Instant at, @Nullable Instant measuredAt, long staleAfterMs, Queue queue, List<Lane> lanes,
			List<Worker> workers) {

	}

	public record Queue(String name, Map<String, Count> jobs, Count waiting, @Nullable Long oldestMs, int workers,
			int slots, @Nullable PauseInfo pause, @Nullable LimitValue limit, @Nullable Rates rates) {

	}

}

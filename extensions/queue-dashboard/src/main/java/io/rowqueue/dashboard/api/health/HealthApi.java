package io.rowqueue.dashboard.api.health;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.rowqueue.admin.WorkerView;
import io.rowqueue.dashboard.api.Count;
import io.rowqueue.dashboard.api.Maskers;
import io.rowqueue.dashboard.api.QueueReaders;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.api.Resource;
import io.rowqueue.dashboard.api.Views.Failure;
import io.rowqueue.dashboard.api.figures.Rates;
import io.rowqueue.dashboard.api.queue.QueuesApi;
import io.rowqueue.dashboard.api.queue.QueuesApi.Queue;
import io.rowqueue.dashboard.api.queue.QueuesApi.Snapshot;
import io.rowqueue.dashboard.http.ApiCall;
import io.rowqueue.dashboard.http.Route;
import io.rowqueue.engine.figures.ErrorGroupStore;
import io.rowqueue.engine.measure.HorizonPin;
import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.TextMasker;
import io.rowqueue.monitoring.autoconfigure.measurement.HealthThresholds;
import org.jspecify.annotations.Nullable;

/** How the queue is: the first page, and the checks in words. */
public final class HealthApi implements Resource {

	private static final int FAILURES = 10;

	/** All of them are on their own page. */
	private static final int QUEUES = 10;

	private final Reads reads;

	private final QueueReaders readers;

	private final Maskers maskers;

	private final QueuesApi queues;

	private final Checks checks;

	private final Rules rules;

	/**
	 * Creates the resource.
	 * @param reads reads in a transaction
	 * @param readers reads the queue
	 * @param maskers decides what is shown
	 * @param queues reads queues
	 * @param rules when something is wrong
	 */
	public HealthApi(Reads reads, QueueReaders readers, Maskers maskers, QueuesApi queues, Rules rules) {
		this.reads = reads;
		this.readers = readers;
		this.maskers = maskers;
		this.queues = queues;
		this.checks = new Checks(rules.thresholds, rules.staleAfter);
		this.rules = rules;
	}

	@Override
	public List<Route> routes() {
		return List.of(Route.get("overview", this::overview), Route.get("attention", this::attention),
				Route.get("health", this::health));
	}

	/** Every page asks for it. */
	private Attention attention(ApiCall call) {
		TextMasker masker = this.maskers.of(call);
		return this.reads.read((at) -> {
			Snapshot snapshot = this.queues.state(at);
			List<Finding> found = this.checks.of(snapshot, at, masker);
			int errors = this.readers.figures().errors().countOpen();
			return new Attention(at, (int) found.stream().filter(Finding::isProblem).count(), status(found),
					snapshot.measured().counts((figure) -> true).get("failed"), (errors > 0) ? errors(errors) : null,
					lost(snapshot.workers()));
		});
	}

	private static Count errors(int open) {
		return (open < ErrorGroupStore.MAX_OPEN) ? Count.exact(open) : Count.atLeast(open);
	}

	private static int lost(List<WorkerView> workers) {
		return (int) workers.stream().filter((worker) -> worker.deadAt() != null).count();
	}

	private Overview overview(ApiCall call) {
		TextMasker masker = this.maskers.of(call);
		return this.reads.read((at) -> {
			Snapshot snapshot = this.queues.snapshot(at);
			List<WorkerView> living = snapshot.workers().stream().filter((each) -> each.deadAt() == null).toList();
			return new Overview(at, snapshot.measured().at(), this.rules.staleAfter.toMillis(),
					this.checks.of(snapshot, at, masker).stream().filter(Finding::isProblem).toList(),
					snapshot.measured().counts((figure) -> true),
					new Slots(living.stream().mapToInt(WorkerView::slots).sum(),
							living.stream().mapToInt(WorkerView::held).sum()),
					new WorkerCounts(living.size(), lost(snapshot.workers())),
					snapshot.measured().oldestMs((figure) -> true), this.queues.rates(at),
					snapshot.queues(masker, QUEUES), snapshot.known(),
					this.readers.overview()
						.failures(FAILURES)
						.stream()
						.map((failure) -> Failure.of(failure, masker))
						.toList());
		});
	}

	private Health health(ApiCall call) {
		TextMasker masker = this.maskers.of(call);
		return this.reads.read((at) -> {
			Snapshot snapshot = this.queues.snapshot(at);
			List<Finding> found = this.checks.of(snapshot, at, masker);
			return new Health(at, status(found), found, horizon(at, masker), tables(), locks(masker),
					new MeasurementInfo(snapshot.measured().at(), this.rules.staleAfter.toMillis()),
					SessionApi.Schema.of(this.reads.database(), this.readers.overview()));
		});
	}

	private static String status(List<Finding> found) {
		if (found.stream().anyMatch((each) -> each.level().equals(Finding.CRITICAL))) {
			return Finding.CRITICAL;
		}
		return found.stream().anyMatch(Finding::isProblem) ? Finding.WARNING : Finding.OK;
	}

	/** What this dashboard reads at the moment holds nothing. */
	private @Nullable Horizon horizon(Instant at, TextMasker masker) {
		List<HorizonPin> pins = this.readers.horizon()
			.pins()
			.stream()
			.filter((pin) -> !pin.who().endsWith("(" + Reads.SESSIONS + ")"))
			.toList();
		if (pins.isEmpty()) {
			return null;
		}
		return new Horizon(pins.stream().mapToLong(HorizonPin::age).max().orElse(0),
				pins.stream()
					.map((pin) -> new Holder(pin.kind(), masker.mask(SensitiveText.APPLICATION_NAME, pin.who()),
							since(at, pin)))
					.toList());
	}

	private static @Nullable Instant since(Instant at, HorizonPin pin) {
		Double seconds = pin.seconds();
		return (seconds != null) ? at.minusMillis((long) (seconds * 1000)) : null;
	}

	/** Sizes are read for this page only; the rows are estimates of the server. */
	private List<Table> tables() {
		return this.readers.figures()
			.tables()
			.sizes()
			.stream()
			.map((table) -> new Table(table.name(), Count.estimate(table.liveRows()), table.deadRows(), table.bytes(),
					table.lastVacuumAt()))
			.toList();
	}

	private List<LockHolder> locks(TextMasker masker) {
		return this.readers.figures()
			.tables()
			.waits()
			.stream()
			.map((wait) -> new LockHolder(wait.pid(), masker.mask(SensitiveText.APPLICATION_NAME, wait.application()),
					wait.lock(), wait.since(), wait.blockedBy()))
			.toList();
	}

	record Overview(Instant at, @Nullable Instant measuredAt, long staleAfterMs, List<Finding> problems,
			Map<String, Count> jobs, Slots slots, WorkerCounts workers, @Nullable Long oldestMs, @Nullable Rates rates,
			List<Queue> queues, Count knownQueues, List<Failure> failures) {

	}

	/** How much needs somebody. */
	record Attention(Instant at, int problems, String level, @Nullable Count failed, @Nullable Count errors, int lost) {

	}

	record Slots(int total, int held) {

	}

	record WorkerCounts(int alive, int dead) {

	}

	record Health(Instant at, String status, List<Finding> checks, @Nullable Horizon horizon, List<Table> tables,
			List<LockHolder> locks, MeasurementInfo measurement, SessionApi.Schema schema) {

	}

	record Horizon(long transactions, List<Holder> holders) {

	}

	record Holder(String what, @Nullable String who, @Nullable Instant since) {

	}

	record Table(String name, Count liveRows, long deadRows, long bytes, @Nullable Instant lastVacuumAt) {

	}

	/** A session that waits for a lock. */
	record LockHolder(int pid, @Nullable String who, String lock, @Nullable Instant since, List<Integer> blockedBy) {

	}

	record MeasurementInfo(@Nullable Instant at, long staleAfterMs) {

	}

	/**
	 * When something is wrong.
	 *
	 * @param thresholds the thresholds of the application's health
	 * @param staleAfter how old the measurement may be
	 */
	public record Rules(HealthThresholds thresholds, Duration staleAfter) {

	}

}

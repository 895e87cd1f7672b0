package io.pgqueue.dashboard.api;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.pgqueue.admin.WorkerView;
import io.pgqueue.admin.masking.SensitiveText;
import io.pgqueue.admin.masking.TextMasker;
import io.pgqueue.autoconfigure.measurement.HealthThresholds;
import io.pgqueue.dashboard.api.QueuesApi.Queue;
import io.pgqueue.dashboard.api.QueuesApi.Snapshot;
import io.pgqueue.dashboard.api.Views.Failure;
import io.pgqueue.dashboard.http.ApiCall;
import io.pgqueue.dashboard.http.Route;
import io.pgqueue.engine.measure.HorizonPin;
import org.jspecify.annotations.Nullable;

/** How the queue is: the first page, and the checks in words. */
public final class HealthApi implements Resource {

	private static final int FAILURES = 10;

	private final Reads reads;

	private final QueueReaders readers;

	private final Maskers maskers;

	private final QueuesApi queues;

	private final Checks checks;

	private final Duration staleAfter;

	/**
	 * Creates the resource.
	 * @param reads reads in a transaction
	 * @param readers reads the queue
	 * @param maskers decides what is shown
	 * @param queues reads queues
	 * @param thresholds when something is wrong
	 * @param staleAfter how old the measurement may be
	 */
	public HealthApi(Reads reads, QueueReaders readers, Maskers maskers, QueuesApi queues, HealthThresholds thresholds,
			Duration staleAfter) {
		this.reads = reads;
		this.readers = readers;
		this.maskers = maskers;
		this.queues = queues;
		this.checks = new Checks(thresholds, staleAfter);
		this.staleAfter = staleAfter;
	}

	@Override
	public List<Route> routes() {
		return List.of(Route.get("overview", this::overview), Route.get("health", this::health));
	}

	private Overview overview(ApiCall call) {
		TextMasker masker = this.maskers.of(call);
		return this.reads.read((at) -> {
			Snapshot snapshot = this.queues.snapshot(at);
			List<WorkerView> living = snapshot.workers().stream().filter((each) -> each.deadAt() == null).toList();
			return new Overview(at, snapshot.measured().at(), this.staleAfter.toMillis(),
					this.checks.of(snapshot, at, masker).stream().filter(Finding::isProblem).toList(),
					snapshot.measured().counts((figure) -> true),
					new Slots(living.stream().mapToInt(WorkerView::slots).sum(),
							living.stream().mapToInt(WorkerView::held).sum()),
					new WorkerCounts(living.size(), snapshot.workers().size() - living.size()),
					snapshot.measured().oldestMs((figure) -> true), this.queues.rates(at), snapshot.queues(masker),
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
					new MeasurementInfo(snapshot.measured().at(), null, this.staleAfter.toMillis()),
					new SessionApi.Schema(this.readers.overview().installedSchemaVersion(),
							this.readers.overview().librarySchemaVersion()));
		});
	}

	private static String status(List<Finding> found) {
		if (found.stream().anyMatch((each) -> each.level().equals(Finding.CRITICAL))) {
			return Finding.CRITICAL;
		}
		return found.stream().anyMatch(Finding::isProblem) ? Finding.WARNING : Finding.OK;
	}

	private @Nullable Horizon horizon(Instant at, TextMasker masker) {
		List<HorizonPin> pins = this.readers.horizon().pins();
		if (pins.isEmpty()) {
			return null;
		}
		return new Horizon(pins.stream().mapToLong(HorizonPin::age).max().orElse(0),
				pins.stream()
					.map((pin) -> new Holder(null, pin.kind(), masker.mask(SensitiveText.APPLICATION_NAME, pin.who()),
							since(at, pin), null))
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
			List<Queue> queues, List<Failure> failures) {

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

	record Holder(@Nullable Integer pid, String what, @Nullable String who, @Nullable Instant since,
			@Nullable String sql) {

	}

	record Table(String name, Count liveRows, long deadRows, long bytes, @Nullable Instant lastVacuumAt) {

	}

	/** A session that waits for a lock. */
	record LockHolder(int pid, @Nullable String who, String lock, @Nullable Instant since, List<Integer> blockedBy) {

	}

	record MeasurementInfo(@Nullable Instant at, @Nullable Long tookMs, long staleAfterMs) {

	}

}

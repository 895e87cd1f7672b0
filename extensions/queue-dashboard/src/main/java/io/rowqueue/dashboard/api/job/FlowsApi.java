package io.rowqueue.dashboard.api.job;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.rowqueue.admin.FlowJobView;
import io.rowqueue.admin.FlowView;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.dashboard.Level;
import io.rowqueue.dashboard.api.ActionRoutes;
import io.rowqueue.dashboard.api.Maskers;
import io.rowqueue.dashboard.api.QueueReaders;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.api.Resource;
import io.rowqueue.dashboard.api.Views;
import io.rowqueue.dashboard.api.Views.PageInfo;
import io.rowqueue.dashboard.http.ApiCall;
import io.rowqueue.dashboard.http.Problem;
import io.rowqueue.dashboard.http.Route;
import io.rowqueue.flow.BatchProgress;
import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.TextMasker;
import org.jspecify.annotations.Nullable;

/** Flows and batches. */
public final class FlowsApi implements Resource {

	private static final int PAGE = 50;

	private static final int MAX_UNFINISHED = 200;

	private static final String UNFINISHED = "unfinished";

	private static final Map<String, Level> FLOW_ACTIONS = Map.of("cancel", Level.OPERATE, "retry", Level.OPERATE);

	private static final Map<String, Level> BATCH_ACTIONS = Map.of("cancel", Level.OPERATE, "close", Level.OPERATE);

	private final Reads reads;

	private final QueueReaders readers;

	private final Maskers maskers;

	private final ActionRoutes actions;

	/**
	 * Creates the resource.
	 * @param reads reads in a transaction
	 * @param readers reads flows and batches
	 * @param maskers decides what is shown
	 * @param actions changes them
	 */
	public FlowsApi(Reads reads, QueueReaders readers, Maskers maskers, ActionRoutes actions) {
		this.reads = reads;
		this.readers = readers;
		this.maskers = maskers;
		this.actions = actions;
	}

	@Override
	public List<Route> routes() {
		return List.of(Route.get("flows", this::flows, "state", "cursor"), Route.get("flows/{id}", this::flow),
				this.actions.post("flows/{id}", "id", "flows", FLOW_ACTIONS, this::isLargeFlow),
				Route.get("batches", this::batches, "state", "cursor"), Route.get("batches/{id}", this::batch),
				this.actions.post("batches/{id}", "id", "batches", BATCH_ACTIONS, this::areManyPending));
	}

	private boolean isLargeFlow(String action, String id) {
		return Reads.guarded(() -> this.readers.flows().find(number(id)))
			.filter((flow) -> flow.jobs() > JobSearch.MAX_COUNT)
			.isPresent();
	}

	private boolean areManyPending(String action, String id) {
		return action.equals("cancel") && Reads.guarded(() -> this.readers.batches().find(number(id)))
			.filter((batch) -> batch.pending() > JobSearch.MAX_COUNT)
			.isPresent();
	}

	/** What is no id names nothing. */
	private static long number(String id) {
		try {
			return Long.parseLong(id);
		}
		catch (NumberFormatException ex) {
			return 0;
		}
	}

	private Flows flows(ApiCall call) {
		boolean unfinished = isUnfinished(call);
		long before = before(call);
		TextMasker masker = this.maskers.of(call);
		return this.reads.read((at) -> {
			List<FlowView> found = unfinished ? this.readers.flows().unfinished(MAX_UNFINISHED)
					: this.readers.flows().list(before, PAGE);
			return new Flows(at, found.stream().map((each) -> Flow.of(each, masker)).toList(),
					next(unfinished, found, FlowView::id), isTruncated(unfinished, found));
		});
	}

	private static boolean isUnfinished(ApiCall call) {
		String state = call.parameters().one("state");
		if (state != null && !state.equals(UNFINISHED)) {
			throw Problem.invalid("state", "must be " + UNFINISHED);
		}
		return state != null;
	}

	private static long before(ApiCall call) {
		return call.parameters().number("cursor", Long.MAX_VALUE, 1, Long.MAX_VALUE);
	}

	/** The unfinished ones have one page. */
	private static <T> PageInfo next(boolean unfinished, List<T> found, ToLongFunction<T> id) {
		return new PageInfo(
				(!unfinished && found.size() == PAGE) ? String.valueOf(id.applyAsLong(found.get(PAGE - 1))) : null);
	}

	private static boolean isTruncated(boolean unfinished, List<?> found) {
		return unfinished && found.size() == MAX_UNFINISHED;
	}

	private FlowDetail flow(ApiCall call) {
		long id = call.id();
		TextMasker masker = this.maskers.of(call);
		return this.reads.read((at) -> {
			FlowView flow = this.readers.flows()
				.find(id)
				.orElseThrow(() -> Problem.Kind.NOT_FOUND.because("There is no such flow, or it is no longer kept."));
			List<FlowJobView> jobs = this.readers.flows().jobs(id);
			Map<String, Integer> positions = IntStream.range(0, jobs.size())
				.boxed()
				.collect(Collectors.toMap((position) -> jobs.get(position).name(), Function.identity()));
			return new FlowDetail(at, Flow.of(flow, masker),
					jobs.stream().map((job) -> FlowJob.of(job, positions, masker)).toList());
		});
	}

	private Batches batches(ApiCall call) {
		boolean unfinished = isUnfinished(call);
		long before = before(call);
		TextMasker masker = this.maskers.of(call);
		return this.reads.read((at) -> {
			List<BatchProgress> found = unfinished ? this.readers.flows().unfinishedBatches(MAX_UNFINISHED)
					: this.readers.flows().batches(before, PAGE);
			return new Batches(at, found.stream().map((each) -> Batch.of(each, masker)).toList(),
					next(unfinished, found, BatchProgress::id), isTruncated(unfinished, found));
		});
	}

	private BatchDetail batch(ApiCall call) {
		long id = call.id();
		TextMasker masker = this.maskers.of(call);
		return this.reads.read((at) -> this.readers.batches()
			.find(id)
			.map((batch) -> new BatchDetail(at, Batch.of(batch, masker)))
			.orElseThrow(() -> Problem.Kind.NOT_FOUND.because("There is no such batch, or it is no longer kept.")));
	}

	record Flows(Instant at, List<Flow> items, PageInfo page, boolean truncated) {

	}

	record FlowDetail(Instant at, Flow flow, List<FlowJob> jobs) {

	}

	record Flow(long id, String name, String state, Instant createdAt, @Nullable Instant endedAt, int jobs, int open,
			int succeeded, int failed, int cancelled) {

		static Flow of(FlowView flow, TextMasker masker) {
			return new Flow(flow.id(), masker.mask(SensitiveText.FLOW, flow.name()), Views.label(flow.state()),
					flow.createdAt(), flow.endedAt(), flow.jobs(), flow.open(), flow.succeeded(), flow.failed(),
					flow.cancelled());
		}

	}

	/**
	 * A job of a flow.
	 *
	 * @param after the names of the jobs that it runs after
	 * @param predecessors the positions of these jobs in the list: their names may be
	 * hidden, and then are all the same
	 */
	record FlowJob(String name, long job, @Nullable String type, String state, @Nullable Instant endedAt,
			List<String> after, List<Integer> predecessors, @Nullable Long addedBy) {

		static FlowJob of(FlowJobView job, Map<String, Integer> positions, TextMasker masker) {
			return new FlowJob(masker.mask(SensitiveText.FLOW_JOB, job.name()), job.jobId(), job.type(),
					job.state().label(), job.endedAt(),
					job.after().stream().map((name) -> masker.mask(SensitiveText.FLOW_JOB, name)).toList(),
					job.after().stream().flatMap((name) -> Stream.ofNullable(positions.get(name))).toList(),
					job.addedBy());
		}

	}

	record Batches(Instant at, List<Batch> items, PageInfo page, boolean truncated) {

	}

	record BatchDetail(Instant at, Batch batch) {

	}

	record Batch(long id, String name, Instant createdAt, @Nullable Instant closedAt, @Nullable Instant finishedAt,
			long total, long succeeded, long failed, long cancelled, long pending) {

		static Batch of(BatchProgress batch, TextMasker masker) {
			return new Batch(batch.id(), masker.mask(SensitiveText.BATCH, batch.name()), batch.createdAt(),
					batch.closedAt(), batch.finishedAt(), batch.total(), batch.succeeded(), batch.failed(),
					batch.cancelled(), batch.pending());
		}

	}

}

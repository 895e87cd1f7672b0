package io.rowqueue.dashboard.api.operation;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import io.rowqueue.admin.BoundedCount;
import io.rowqueue.admin.JobPage;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.dashboard.Level;
import io.rowqueue.dashboard.api.ActionBody;
import io.rowqueue.dashboard.api.ActionRoutes;
import io.rowqueue.dashboard.api.Actions;
import io.rowqueue.dashboard.api.Count;
import io.rowqueue.dashboard.api.Maskers;
import io.rowqueue.dashboard.api.QueueReaders;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.api.Resource;
import io.rowqueue.dashboard.api.SearchQuota;
import io.rowqueue.dashboard.api.job.JobAnswers.Job;
import io.rowqueue.dashboard.http.ApiCall;
import io.rowqueue.dashboard.http.Problem;
import io.rowqueue.dashboard.http.Route;
import io.rowqueue.masking.TextMasker;
import org.jspecify.annotations.Nullable;

/**
 * Changes of all jobs that a filter selects: how many there would be, the start, and the
 * stop. A caller of the level operate changes at most as many as can be counted.
 */
public final class BulkApi implements Resource {

	private static final int SAMPLE = 10;

	private final Reads reads;

	private final QueueReaders readers;

	private final Maskers maskers;

	private final Actions actions;

	private final ActionRoutes routes;

	private final SearchQuota quota;

	/**
	 * Creates the resource.
	 * @param reads reads the time
	 * @param readers reads jobs
	 * @param maskers decides what is shown
	 * @param actions starts changes
	 * @param routes stops them
	 * @param quota bounds the counts
	 */
	public BulkApi(Reads reads, QueueReaders readers, Maskers maskers, Actions actions, ActionRoutes routes,
			SearchQuota quota) {
		this.reads = reads;
		this.readers = readers;
		this.maskers = maskers;
		this.actions = actions;
		this.routes = routes;
		this.quota = quota;
	}

	@Override
	public List<Route> routes() {
		return List.of(Route.post("operations", Level.OPERATE, this::operate),
				this.routes.post("operations/{id}", "id", "operations", Map.of("stop", Level.OPERATE)));
	}

	private Object operate(ApiCall call) {
		BulkRequest request = call.body(BulkRequest.class);
		if ("erase".equals(request.action())) {
			call.need(Level.ADMIN);
		}
		JobFilter filter = filter(call, request);
		BoundedCount count = this.quota.search(call.caller(),
				() -> Reads.checked(() -> this.readers.search().count(filter)));
		if (Boolean.TRUE.equals(request.dryRun())) {
			return preview(call, filter, count);
		}
		if (!count.exact() || count.value() > JobSearch.MAX_COUNT) {
			call.need(Level.ADMIN);
		}
		Instant at = this.reads.now();
		boolean admin = call.rights().level().includes(Level.ADMIN);
		long id = Reads.guarded(() -> this.actions.start(request.body(), filter,
				admin ? null : Long.valueOf(JobSearch.MAX_COUNT), call));
		return new Started(at, id);
	}

	private BulkPreview preview(ApiCall call, JobFilter filter, BoundedCount count) {
		TextMasker masker = this.maskers.of(call);
		JobPage page = Reads.checked(() -> this.readers.search().find(filter, null, SAMPLE));
		return this.reads
			.read((at) -> new BulkPreview(at, count.exact() ? Count.exact(count.value()) : Count.atLeast(count.value()),
					page.jobs().stream().map((job) -> Job.of(job, null, Map.of(), masker)).toList()));
	}

	private static JobFilter filter(ApiCall call, BulkRequest request) {
		Target target = request.target();
		if (target == null || (target.filter() == null) == (target.ids() == null)) {
			throw Problem.invalid("target", "needs a filter or ids");
		}
		String query = (target.filter() != null) ? target.filter()
				: Objects.requireNonNull(target.ids())
					.stream()
					.map((id) -> "id=" + id)
					.collect(Collectors.joining("&"));
		if (query.isEmpty() && target.ids() != null) {
			throw Problem.invalid("target", "ids must not be empty");
		}
		JobFilter filter = Reads.checked(() -> JobFilter.ofQuery(query).requireSelective());
		if (filter.selectsByContent()) {
			call.needPayloads();
		}
		return filter;
	}

	/**
	 * The body of a request that changes many jobs.
	 *
	 * @param action what to do
	 * @param target which jobs
	 * @param delayMs how long from now they are due
	 * @param priority their new priority
	 * @param reason why
	 * @param dryRun whether only to say how many there are
	 */
	record BulkRequest(@Nullable String action, @Nullable Target target, @Nullable Long delayMs,
			@Nullable Integer priority, @Nullable String reason, @Nullable Boolean dryRun) {

		ActionBody body() {
			return ActionBody.of(this.action)
				.with("reason", this.reason)
				.with("delayMs", this.delayMs)
				.with("priority", this.priority);
		}

	}

	record Target(@Nullable String filter, @Nullable List<Long> ids) {

	}

	record BulkPreview(Instant at, Count selected, List<Job> sample) {

	}

	record Started(Instant at, long operation) {

	}

}

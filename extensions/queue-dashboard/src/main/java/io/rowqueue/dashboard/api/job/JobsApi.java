package io.rowqueue.dashboard.api.job;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rowqueue.JobRequest;
import io.rowqueue.admin.BoundedCount;
import io.rowqueue.admin.Explanation;
import io.rowqueue.admin.JobDetails.StoredText;
import io.rowqueue.admin.JobDetails;
import io.rowqueue.admin.JobPage;
import io.rowqueue.admin.JobView;
import io.rowqueue.admin.WorkerView;
import io.rowqueue.admin.WrittenJob;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.admin.operation.Operations.Filter;
import io.rowqueue.admin.operation.RecordedOperation;
import io.rowqueue.dashboard.Level;
import io.rowqueue.dashboard.api.ActionBody;
import io.rowqueue.dashboard.api.ActionRoutes;
import io.rowqueue.dashboard.api.Count;
import io.rowqueue.dashboard.api.Maskers;
import io.rowqueue.dashboard.api.QueueReaders;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.api.Resource;
import io.rowqueue.dashboard.api.SearchQuota;
import io.rowqueue.dashboard.api.job.JobAnswers.JobCount;
import io.rowqueue.dashboard.api.job.JobAnswers.Jobs;
import io.rowqueue.dashboard.api.job.JobDetailAnswers.Detail;
import io.rowqueue.dashboard.api.job.JobDetailAnswers.Explained;
import io.rowqueue.dashboard.api.job.JobDetailAnswers.ExplanationAnswer;
import io.rowqueue.dashboard.api.job.JobHistoryAnswers.Attempts;
import io.rowqueue.dashboard.api.job.JobHistoryAnswers.Content;
import io.rowqueue.dashboard.api.job.JobHistoryAnswers.Log;
import io.rowqueue.dashboard.api.job.JobHistoryAnswers.Steps;
import io.rowqueue.dashboard.api.job.JobHistoryAnswers.Timeline;
import io.rowqueue.dashboard.api.job.JobSummaries.Found;
import io.rowqueue.dashboard.api.job.JobSummaries.Times;
import io.rowqueue.dashboard.http.ApiCall;
import io.rowqueue.dashboard.http.Problem;
import io.rowqueue.dashboard.http.Route;
import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.TextMasker;
import org.jspecify.annotations.Nullable;

/** Jobs: lists, one with all that is known of it, and what can be done with it. */
public final class JobsApi implements Resource {

	private static final int PAGE = 50;

	private static final int MAX_PAGE = 200;

	private static final int OPERATIONS = 50;

	private static final Set<String> WAITING = Set.of("scheduled", "queued", "blocked");

	private static final String[] FILTER = JobFilter.WORDS.toArray(String[]::new);

	private static final Map<String, Level> LEVELS = Map.of("retry", Level.OPERATE, "cancel", Level.OPERATE,
			"reschedule", Level.OPERATE, "prioritize", Level.OPERATE, "edit", Level.ADMIN, "replay", Level.ADMIN,
			"erase", Level.ADMIN, "signal", Level.ADMIN, "stack", Level.OPERATE);

	private final Reads reads;

	private final QueueReaders readers;

	private final Maskers maskers;

	private final ActionRoutes actions;

	private final SearchQuota quota;

	private final JobSummaries summaries;

	/**
	 * Creates the resource.
	 * @param reads reads in a transaction
	 * @param readers reads jobs
	 * @param maskers decides what is shown
	 * @param actions changes them
	 * @param quota bounds searches
	 */
	public JobsApi(Reads reads, QueueReaders readers, Maskers maskers, ActionRoutes actions, SearchQuota quota) {
		this.reads = reads;
		this.readers = readers;
		this.maskers = maskers;
		this.actions = actions;
		this.quota = quota;
		this.summaries = new JobSummaries(readers.search());
	}

	@Override
	public List<Route> routes() {
		return List.of(
				Route.get("jobs", this::list,
						Stream.concat(Stream.of(FILTER), Stream.of("cursor", "limit")).toArray(String[]::new)),
				Route.get("jobs/count", this::count, FILTER), Route.get("jobs/summary", this::summary, FILTER),
				Route.get("jobs/{id}", this::job), Route.get("jobs/{id}/timeline", this::timeline),
				Route.get("jobs/{id}/attempts", this::attempts).revealing(),
				Route.get("jobs/{id}/payload", this::payload).revealing(),
				Route.get("jobs/{id}/result", this::result).revealing(),
				Route.get("jobs/{id}/steps", this::steps).revealing(),
				Route.get("jobs/{id}/log", this::log).revealing(),
				Route.get("jobs/{id}/explanation", this::explanation),
				Route.post("jobs/{id}", Level.OPERATE, this::act), Route.post("jobs", Level.ADMIN, this::enqueue));
	}

	private Jobs list(ApiCall call) {
		JobFilter filter = filter(call);
		int size = (int) call.parameters().number("limit", PAGE, 1, MAX_PAGE);
		String cursor = call.parameters().one("cursor");
		TextMasker masker = this.maskers.of(call);
		JobPage page = bounded(call, filter, () -> this.readers.search().find(filter, cursor, size));
		return this.reads.read((at) -> Jobs.of(at, page, size, workers(), masker, verdicts(page, masker)));
	}

	/** Why the jobs of a page wait: facts of their lanes are read once for all. */
	private Map<Long, Explanation> verdicts(JobPage page, TextMasker masker) {
		List<Long> waiting = page.jobs()
			.stream()
			.filter((job) -> WAITING.contains(job.state()))
			.map(JobView::id)
			.toList();
		return waiting.isEmpty() ? Map.of() : this.readers.jobs().explainAll(waiting, masker);
	}

	private JobCount count(ApiCall call) {
		JobFilter filter = filter(call);
		BoundedCount found = bounded(call, filter, () -> this.readers.search().count(filter));
		Count count = found.exact() ? Count.exact(found.value()) : Count.atLeast(found.value());
		return this.reads.read((at) -> new JobCount(at, count));
	}

	private JobSummary summary(ApiCall call) {
		JobFilter filter = filter(call);
		Found found = bounded(call, filter, () -> this.summaries.find(filter, call.parameters().asMap()));
		return this.reads.read((at) -> new JobSummary(at, found.counts(), found.times()));
	}

	/** No index leads to a text. */
	private <T> T bounded(ApiCall call, JobFilter filter, Supplier<T> search) {
		return filter.searchesText() ? this.quota.search(call.caller(), () -> Reads.checked(search))
				: Reads.checked(search);
	}

	/** What hidden texts select must not be found out by searching. */
	static JobFilter filter(ApiCall call) {
		Map<String, List<String>> words = new HashMap<>(call.parameters().asMap());
		words.keySet().retainAll(JobFilter.WORDS);
		JobFilter filter = Reads.checked(() -> JobFilter.of(words));
		if (filter.selectsByContent()) {
			call.needPayloads();
		}
		return filter;
	}

	private Detail job(ApiCall call) {
		JobDetails job = details(call);
		TextMasker masker = this.maskers.of(call);
		Level level = call.rights().level();
		return this.reads
			.read((at) -> Detail.of(at, job, Explained.of(explain(call.id(), masker)), level, workers(), masker));
	}

	private Timeline timeline(ApiCall call) {
		JobDetails job = details(call);
		TextMasker masker = this.maskers.of(call);
		return this.reads.read((at) -> {
			List<RecordedOperation> operations = this.readers.operations()
				.list(Filter.of("jobs", String.valueOf(call.id())), Long.MAX_VALUE, OPERATIONS);
			return new Timeline(at, JobTimeline.of(job, operations, workers(), masker));
		});
	}

	private Attempts attempts(ApiCall call) {
		JobDetails job = details(call);
		TextMasker masker = this.maskers.of(call);
		return this.reads.read((at) -> new Attempts(at, JobTimeline.attempts(job, workers(), masker)));
	}

	private Steps steps(ApiCall call) {
		JobDetails job = details(call);
		TextMasker masker = this.maskers.of(call);
		return this.reads.read((at) -> Steps.of(at, job, masker));
	}

	private Log log(ApiCall call) {
		TextMasker masker = this.maskers.of(call);
		return this.reads.read((at) -> Log.of(at, this.readers.jobs().log(call.id()), masker));
	}

	private Content payload(ApiCall call) {
		return content(call, SensitiveText.PAYLOAD, details(call).payload());
	}

	private Content result(ApiCall call) {
		return content(call, SensitiveText.RESULT, details(call).result());
	}

	private Content content(ApiCall call, SensitiveText kind, @Nullable StoredText text) {
		if (text == null) {
			throw Problem.Kind.NOT_FOUND.because("The job has none, or it is not kept.");
		}
		TextMasker masker = this.maskers.of(call);
		return this.reads.read((at) -> Content.of(at, masker, kind, text));
	}

	private ExplanationAnswer explanation(ApiCall call) {
		TextMasker masker = this.maskers.of(call);
		return this.reads.read((at) -> new ExplanationAnswer(at, Explained.of(explain(call.id(), masker))));
	}

	private Explanation explain(long id, TextMasker masker) {
		return this.readers.jobs().explain(id, masker);
	}

	private Object enqueue(ApiCall call) {
		NewJob job = call.body(NewJob.class);
		if (job.type() == null || job.type().isBlank()) {
			throw Problem.invalid("type", "must be given");
		}
		long delay = (job.delayMs() != null) ? job.delayMs() : 0;
		if (delay < 0 || delay > JobRequest.MAX_DELAY.toMillis()) {
			throw Problem.invalid("delayMs", "must be from 0 to " + JobRequest.MAX_DELAY.toMillis());
		}
		return this.actions.enqueue(call,
				WrittenJob.of(job.type())
					.queue((job.queue() != null) ? job.queue() : JobRequest.DEFAULT_QUEUE)
					.payload(job.payload())
					.priority((job.priority() != null) ? job.priority() : 0)
					.delay(Duration.ofMillis(delay)),
				job.reason());
	}

	private Object act(ApiCall call) {
		ActionBody body = ActionBody.of(call);
		String revision = body.text("revision");
		if (body.action().equals("edit")) {
			call.need(Level.ADMIN);
		}
		if (body.text("step") != null) {
			call.needPayloads(); // the answer says whether there is such a step
		}
		if (body.action().equals("edit") && (body.text("payload") == null || revision == null)) {
			throw Problem.invalid("payload", "edit needs a payload and the revision that was read");
		}
		if (body.action().equals("signal") && body.required("signal").isBlank()) {
			throw Problem.invalid("signal", "must be given");
		}
		if (revision != null && !revision.equals(details(call).revision())) {
			throw Problem.Kind.CHANGED.because("The job has changed since it was read. Look at it again.");
		}
		return this.actions.perform(call, "jobs", String.valueOf(call.id()), LEVELS);
	}

	private JobDetails details(ApiCall call) {
		Optional<JobDetails> found = Reads.guarded(() -> this.readers.search().details(call.id()));
		return found.orElseThrow(() -> Problem.Kind.NOT_FOUND
			.because("There is no such job: it is not committed, or it finished and is no longer kept."));
	}

	/** How many jobs there are by state, and when. */
	record JobSummary(Instant at, Map<String, Count> counts, Times times) {

	}

	/**
	 * The body of a request that enqueues a job.
	 *
	 * @param type its type
	 * @param queue its queue; {@code null}: the default one
	 * @param payload its payload as JSON; {@code null}: none
	 * @param priority its priority; {@code null}: 0
	 * @param delayMs how long from now it is due; {@code null}: now
	 * @param reason why
	 */
	record NewJob(@Nullable String type, @Nullable String queue, @Nullable String payload, @Nullable Integer priority,
			@Nullable Long delayMs, @Nullable String reason) {

	}

	/** The names of the workers that are registered, by id. */
	private Map<Long, String> workers() {
		return this.readers.overview().workers().stream().collect(Collectors.toMap(WorkerView::id, WorkerView::name));
	}

}

package io.pgqueue.dashboard.api;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.pgqueue.admin.BoundedCount;
import io.pgqueue.admin.Explanation;
import io.pgqueue.admin.JobDetails;
import io.pgqueue.admin.JobDetails.StoredText;
import io.pgqueue.admin.JobFilter;
import io.pgqueue.admin.JobPage;
import io.pgqueue.admin.Operations.Filter;
import io.pgqueue.admin.RecordedOperation;
import io.pgqueue.admin.SensitiveText;
import io.pgqueue.admin.TextMasker;
import io.pgqueue.admin.WorkerView;
import io.pgqueue.dashboard.Level;
import io.pgqueue.dashboard.api.Actions.ActionBody;
import io.pgqueue.dashboard.api.JobAnswers.Attempts;
import io.pgqueue.dashboard.api.JobAnswers.Content;
import io.pgqueue.dashboard.api.JobAnswers.Detail;
import io.pgqueue.dashboard.api.JobAnswers.Explained;
import io.pgqueue.dashboard.api.JobAnswers.ExplanationAnswer;
import io.pgqueue.dashboard.api.JobAnswers.JobCount;
import io.pgqueue.dashboard.api.JobAnswers.Jobs;
import io.pgqueue.dashboard.api.JobAnswers.Steps;
import io.pgqueue.dashboard.api.JobAnswers.Timeline;
import io.pgqueue.dashboard.http.ApiCall;
import io.pgqueue.dashboard.http.Problem;
import io.pgqueue.dashboard.http.Route;
import org.jspecify.annotations.Nullable;

/** Jobs: lists, one with all that is known of it, and what can be done with it. */
public final class JobsApi implements Resource {

	private static final int PAGE = 50;

	private static final int MAX_PAGE = 200;

	private static final int OPERATIONS = 50;

	private static final String[] FILTER = JobFilter.WORDS.toArray(String[]::new);

	/** What these select by is hidden, and must not be found out by searching. */
	private static final List<String> HIDDEN_WORDS = List.of("q", "key", "limitKey");

	private static final Map<String, Level> LEVELS = Map.of("retry", Level.OPERATE, "cancel", Level.OPERATE,
			"reschedule", Level.OPERATE, "prioritize", Level.OPERATE);

	private final Reads reads;

	private final QueueReaders readers;

	private final Maskers maskers;

	private final ActionRoutes actions;

	/**
	 * Creates the resource.
	 * @param reads reads in a transaction
	 * @param readers reads jobs
	 * @param maskers decides what is shown
	 * @param actions changes them
	 */
	public JobsApi(Reads reads, QueueReaders readers, Maskers maskers, ActionRoutes actions) {
		this.reads = reads;
		this.readers = readers;
		this.maskers = maskers;
		this.actions = actions;
	}

	@Override
	public List<Route> routes() {
		return List.of(
				Route.get("jobs", this::list,
						Stream.concat(Stream.of(FILTER), Stream.of("cursor", "limit")).toArray(String[]::new)),
				Route.get("jobs/count", this::count, FILTER), Route.get("jobs/{id}", this::job),
				Route.get("jobs/{id}/timeline", this::timeline), Route.get("jobs/{id}/attempts", this::attempts),
				Route.get("jobs/{id}/payload", this::payload), Route.get("jobs/{id}/result", this::result),
				Route.get("jobs/{id}/steps", this::steps), Route.get("jobs/{id}/explanation", this::explanation),
				Route.post("jobs/{id}", Level.OPERATE, this::act));
	}

	private Jobs list(ApiCall call) {
		JobFilter filter = filter(call);
		int size = (int) call.parameters().number("limit", PAGE, 1, MAX_PAGE);
		String cursor = call.parameters().one("cursor");
		TextMasker masker = this.maskers.of(call);
		JobPage page = checked(() -> this.readers.search().find(filter, cursor, size));
		return this.reads.read((at) -> Jobs.of(at, page, size, workers(), masker));
	}

	private JobCount count(ApiCall call) {
		JobFilter filter = filter(call);
		BoundedCount found = checked(() -> this.readers.search().count(filter));
		Count count = found.exact() ? Count.exact(found.value()) : Count.atLeast(found.value());
		return this.reads.read((at) -> new JobCount(at, count));
	}

	private static JobFilter filter(ApiCall call) {
		Map<String, List<String>> words = new HashMap<>(call.parameters().asMap());
		words.keySet().retainAll(JobFilter.WORDS);
		if (HIDDEN_WORDS.stream().anyMatch(words::containsKey)) {
			call.needPayloads();
		}
		return checked(() -> JobFilter.of(words));
	}

	private static <T> T checked(Supplier<T> reading) {
		try {
			return Reads.guarded(reading);
		}
		catch (IllegalArgumentException ex) {
			throw Problem.Kind.INVALID_REQUEST.because(String.valueOf(ex.getMessage()));
		}
	}

	private Detail job(ApiCall call) {
		JobDetails job = details(call);
		TextMasker masker = this.maskers.of(call);
		boolean operates = call.rights().level().includes(Level.OPERATE);
		return this.reads
			.read((at) -> Detail.of(at, job, Explained.of(explain(call.id(), masker)), operates, workers(), masker));
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

	private Object act(ApiCall call) {
		String revision = call.body(ActionBody.class).revision();
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

	/** The names of the workers that are registered, by id. */
	private Map<Long, String> workers() {
		return this.readers.overview().workers().stream().collect(Collectors.toMap(WorkerView::id, WorkerView::name));
	}

}

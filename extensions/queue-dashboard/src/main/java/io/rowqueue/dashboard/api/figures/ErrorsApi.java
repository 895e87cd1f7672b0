package io.rowqueue.dashboard.api.figures;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rowqueue.dashboard.Level;
import io.rowqueue.dashboard.api.ActionRoutes;
import io.rowqueue.dashboard.api.Count;
import io.rowqueue.dashboard.api.FigureReaders;
import io.rowqueue.dashboard.api.Maskers;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.api.Resource;
import io.rowqueue.dashboard.api.Text;
import io.rowqueue.dashboard.api.Views.PageInfo;
import io.rowqueue.dashboard.http.ApiCall;
import io.rowqueue.dashboard.http.Parameters;
import io.rowqueue.dashboard.http.Problem;
import io.rowqueue.dashboard.http.Route;
import io.rowqueue.engine.figures.ErrorGroup;
import io.rowqueue.engine.figures.ErrorGroupFilter;
import io.rowqueue.engine.figures.ErrorGroupJob;
import io.rowqueue.engine.figures.ErrorGroupPage;
import io.rowqueue.engine.figures.ErrorGroupStore;
import io.rowqueue.engine.figures.Tally;
import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.TextMasker;
import org.jspecify.annotations.Nullable;

/** Failures with the same cause. */
public final class ErrorsApi implements Resource {

	private static final Map<String, Level> ACTIONS = Map.of("retry", Level.OPERATE, "resolve", Level.OPERATE, "ignore",
			Level.OPERATE, "reopen", Level.OPERATE, "note", Level.OPERATE);

	private static final Set<String> STATUSES = Set.of("open", "resolved", "ignored");

	private static final int PAGE = 50;

	private static final int MAX_JOBS = 50;

	/** The jobs that one action retries. */
	private static final int MAX_FAILED = 1000;

	private static final int HOURS = 24;

	private final Reads reads;

	private final FigureReaders figures;

	private final Maskers maskers;

	private final ActionRoutes actions;

	/**
	 * Creates the resource.
	 * @param reads reads in a transaction
	 * @param figures reads groups of errors
	 * @param maskers decides what is shown
	 * @param actions changes groups of errors
	 */
	public ErrorsApi(Reads reads, FigureReaders figures, Maskers maskers, ActionRoutes actions) {
		this.reads = reads;
		this.figures = figures;
		this.maskers = maskers;
		this.actions = actions;
	}

	@Override
	public List<Route> routes() {
		return List.of(Route.get("errors", this::all, "status", "type", "q", "cursor"),
				Route.get("errors/{id}", this::one), this.actions.post("errors/{id}", "id", "errors", ACTIONS));
	}

	private Errors all(ApiCall call) {
		String status = call.parameters().one("status");
		if (status != null && !STATUSES.contains(status)) {
			throw Problem.invalid("status", "must be open, resolved or ignored");
		}
		Parameters parameters = call.parameters();
		String text = parameters.one("q");
		ErrorGroupFilter filter = new ErrorGroupFilter(status, parameters.one("type"),
				(text != null && !text.isBlank()) ? text.strip() : null, call.rights().payloads());
		TextMasker masker = this.maskers.of(call);
		return this.reads.read((at) -> {
			ErrorGroupPage page = page(filter, parameters.one("cursor"));
			Map<String, long[]> hours = perHour(page.groups(), at);
			return new Errors(at, this.figures.errors().countOpen(),
					page.groups().stream().map((group) -> info(group, hours, masker)).toList(),
					new PageInfo(page.next()));
		});
	}

	private ErrorGroupPage page(ErrorGroupFilter filter, @Nullable String cursor) {
		try {
			return this.figures.errors().list(filter, cursor, PAGE);
		}
		catch (IllegalArgumentException ex) {
			throw Problem.invalid("cursor", "is invalid; start with the first page");
		}
	}

	private ErrorDetail one(ApiCall call) {
		long id = ErrorGroup.id(call.name("id"));
		TextMasker masker = this.maskers.of(call);
		return this.reads.read((at) -> {
			ErrorGroup group = this.figures.errors()
				.find(id)
				.orElseThrow(() -> Problem.Kind.NOT_FOUND.because("There is no such error, or it is no longer kept."));
			int failed = this.figures.errors().failedJobs(id, MAX_FAILED).size();
			return new ErrorDetail(at, info(group, perHour(List.of(group), at), masker),
					Text.of(masker, SensitiveText.ERROR, group.sample()),
					(failed < MAX_FAILED && group.failures() <= ErrorGroupStore.MAX_READ) ? Count.exact(failed)
							: Count.atLeast(failed),
					this.figures.errors().jobs(id, MAX_JOBS).stream().map(ErrorJob::of).toList());
		});
	}

	private Map<String, long[]> perHour(List<ErrorGroup> groups, Instant at) {
		Instant first = at.truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(HOURS - 1));
		Map<String, long[]> hours = new HashMap<>();
		for (Tally tally : this.figures.tallies()
			.ofErrors(groups.stream().map((group) -> ErrorGroup.name(group.id())).toList(), first)) {
			int hour = (int) Duration.between(first, tally.at()).toHours();
			if (hour >= 0 && hour < HOURS) {
				hours.computeIfAbsent(tally.name(), (name) -> new long[HOURS])[hour] += tally.counts().failed();
			}
		}
		return hours;
	}

	private static ErrorInfo info(ErrorGroup group, Map<String, long[]> hours, TextMasker masker) {
		String name = ErrorGroup.name(group.id());
		String line = group.sample().lines().findFirst().orElse("");
		String message = (line.length() > group.exception().length())
				? line.substring(group.exception().length() + 1).strip() : "";
		return new ErrorInfo(name, group.type(), exception(line, masker), Text.of(masker, SensitiveText.ERROR, message),
				group.firstAt(), group.lastAt(), group.lastJob(), group.failures(),
				group.versions().stream().filter((version) -> !version.isEmpty()).toList(), group.status(),
				group.statusBy(), group.statusAt(), group.reopenedAt(), group.note(),
				Arrays.stream(hours.getOrDefault(name, new long[HOURS])).boxed().toList());
	}

	/**
	 * The class of the exception: what is before the colon of what the caller may see. An
	 * exception that does not begin with its class is a message.
	 */
	private static String exception(String line, TextMasker masker) {
		return masker.mask(SensitiveText.ERROR, line).split(":", 2)[0];
	}

	record Errors(Instant at, int open, List<ErrorInfo> items, PageInfo page) {

	}

	record ErrorDetail(Instant at, ErrorInfo error, Text sample, Count failed, List<ErrorJob> jobs) {

	}

	/**
	 * A group.
	 *
	 * @param perHour how many attempts failed in each of the last 24 hours
	 */
	record ErrorInfo(String id, String type, String exception, Text message, Instant firstAt, Instant lastAt,
			long lastJob, long failures, List<String> versions, String status, @Nullable String statusBy,
			@Nullable Instant statusAt, @Nullable Instant reopenedAt, @Nullable String note, List<Long> perHour) {

	}

	record ErrorJob(long id, @Nullable String queue, @Nullable String state, int attempt, Instant failedAt) {

		static ErrorJob of(ErrorGroupJob job) {
			return new ErrorJob(job.id(), job.queue(), job.state(), job.attempt(), job.failedAt());
		}

	}

}

package io.rowqueue.engine.job;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.JobRequest;
import io.rowqueue.UniqueKey;
import io.rowqueue.engine.codec.JsonTexts;
import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.Sql;
import org.jspecify.annotations.Nullable;

/**
 * The columns of new jobs, in the order of the parameters of {@link InsertStatement} and
 * {@link KeyedStatement}. The jobs of a bulk enqueue are mostly alike: a value that all
 * jobs share is sent once, with an empty array, or without an array if only the payloads
 * differ. The last column, the payload, always has one element for each job.
 */
record NewJobColumn(String type, Function<NewJob, @Nullable Object> value) {

	private static final NewJobColumn QUEUE = new NewJobColumn("text", (job) -> job.request().queue());

	private static final NewJobColumn TYPE = new NewJobColumn("text", (job) -> job.request().type());

	private static final NewJobColumn PRIORITY = new NewJobColumn("smallint", (job) -> job.request().priority());

	private static final NewJobColumn MAX_ATTEMPTS = new NewJobColumn("smallint", (job) -> job.request().maxAttempts());

	private static final NewJobColumn RUN_AT = new NewJobColumn("timestamptz", (job) -> time(job.request().runAt()));

	private static final NewJobColumn DELAY = new NewJobColumn("bigint", (job) -> Sql.micros(job.request().delay()));

	private static final NewJobColumn TOLERANCE = new NewJobColumn("bigint",
			(job) -> unlessZero(job.request().tolerance()));

	private static final NewJobColumn PAYLOAD = new NewJobColumn("text", NewJob::payload);

	private static final NewJobColumn HEADERS = new NewJobColumn("text", NewJob::headers);

	private static final NewJobColumn LIMIT_KEY = new NewJobColumn("text", (job) -> job.request().limitKey());

	private static final NewJobColumn LIMIT_UNITS = new NewJobColumn("smallint", NewJobColumn::limitUnits);

	private static final List<NewJobColumn> PLAIN = List.of(QUEUE, TYPE, PRIORITY, MAX_ATTEMPTS, RUN_AT, DELAY,
			TOLERANCE, HEADERS, PAYLOAD);

	private static final List<NewJobColumn> AT_ONCE = List.of(QUEUE, TYPE, PRIORITY, MAX_ATTEMPTS, HEADERS, PAYLOAD);

	/** The columns that alike jobs share: all of these but the payload. */
	private static final List<NewJobColumn> ALIKE = AT_ONCE.subList(0, AT_ONCE.size() - 1);

	/** The columns of a job that is stored for the failure of another one, by name. */
	private static final Map<String, NewJobColumn> ON_FAILURE = Map.ofEntries(Map.entry("queue", QUEUE),
			Map.entry("type", TYPE), Map.entry("priority", PRIORITY), Map.entry("max_attempts", MAX_ATTEMPTS),
			Map.entry("run_at", RUN_AT), Map.entry("delay", DELAY), Map.entry("tolerance", TOLERANCE),
			Map.entry("headers", HEADERS), Map.entry("limit_key", LIMIT_KEY), Map.entry("limit_units", LIMIT_UNITS),
			Map.entry("expires_in", new NewJobColumn("bigint", (job) -> Sql.microsOrNull(job.request().expiresIn()))),
			Map.entry("labels", new NewJobColumn("text", NewJobColumn::labels)), Map.entry("payload", PAYLOAD));

	/** The columns of a job with a unique key. */
	static final List<NewJobColumn> KEYED = List.of(QUEUE, TYPE, PRIORITY, MAX_ATTEMPTS,
			new NewJobColumn("text", (job) -> unique(job).value()), RUN_AT, DELAY, TOLERANCE,
			new NewJobColumn("bigint", (job) -> unique(job).fromEnqueue() ? null : unlessZero(unique(job).keptFor())),
			new NewJobColumn("text", (job) -> label(unique(job).duplicates())), HEADERS, LIMIT_KEY, LIMIT_UNITS,
			new NewJobColumn("bigint", (job) -> unique(job).fromEnqueue() ? unlessZero(unique(job).keptFor()) : null),
			new NewJobColumn("bigint", (job) -> atMost(unique(job).duplicates())), PAYLOAD);

	/** Returns whether the job is due at once and has no tolerance. */
	static boolean isDueAtOnce(NewJob job) {
		JobRequest request = job.request();
		return request.runAt() == null && request.delay().isZero() && request.tolerance().isZero();
	}

	/** Returns whether all jobs are due at once and differ only in their payloads. */
	static boolean areAlikeAndDueAtOnce(List<NewJob> jobs) {
		NewJob first = jobs.get(0);
		return jobs.stream().allMatch((job) -> isDueAtOnce(job) && isAlike(first, job));
	}

	/**
	 * Compares the columns {@link #ALIKE}, all of one job before those of the next: large
	 * lists do not fit into the cache of the processor.
	 */
	private static boolean isAlike(NewJob first, NewJob job) {
		JobRequest one = first.request();
		JobRequest other = job.request();
		return one.queue().equals(other.queue()) && one.type().equals(other.type())
				&& one.priority() == other.priority() && Objects.equals(one.maxAttempts(), other.maxAttempts())
				&& Objects.equals(first.headers(), job.headers());
	}

	/** Returns how many units of its limit the job takes, or {@code null} for one. */
	static @Nullable Integer limitUnits(NewJob job) {
		return (job.request().limitUnits() > 1) ? job.request().limitUnits() : null;
	}

	/** Returns the job as the function {@code store_on_failure} takes it. */
	static String onFailure(NewJob job) {
		Map<String, String> texts = new HashMap<>();
		ON_FAILURE.forEach((name, column) -> {
			@Nullable Object value = column.value.apply(job);
			if (value != null) {
				texts.put(name, value.toString());
			}
		});
		return Objects.requireNonNull(JsonTexts.write(texts));
	}

	private static @Nullable Object labels(NewJob job) {
		Set<String> names = job.request().headers().keySet();
		return names.isEmpty() ? null : String.join("\n", names);
	}

	private boolean isSharedBy(List<NewJob> jobs) {
		@Nullable Object first = this.value.apply(jobs.get(0));
		return jobs.stream().allMatch((job) -> Objects.equals(first, this.value.apply(job)));
	}

	/**
	 * Binds one job, one parameter for each column.
	 * @param atOnce whether to omit the columns for the due time
	 */
	static void bind(PreparedStatement statement, NewJob job, boolean atOnce) throws SQLException {
		List<NewJobColumn> columns = atOnce ? AT_ONCE : PLAIN;
		for (int i = 0; i < columns.size(); i++) {
			setText(statement, i + 1, columns.get(i).value.apply(job));
		}
	}

	/** Binds a worker and one job that is due at once. */
	static void bindAtOnce(PreparedStatement statement, NewJob job, long workerId) throws SQLException {
		statement.setLong(1, workerId);
		for (int i = 0; i < AT_ONCE.size(); i++) {
			setText(statement, i + 2, AT_ONCE.get(i).value.apply(job));
		}
	}

	/**
	 * Binds several jobs: for each column one parameter for a shared value and one array.
	 * @return the index of the next parameter
	 */
	static int bind(PreparedStatement statement, List<NewJob> jobs) throws SQLException {
		for (int i = 0; i < PLAIN.size(); i++) {
			NewJobColumn column = PLAIN.get(i);
			boolean shared = i < PLAIN.size() - 1 && column.isSharedBy(jobs);
			setText(statement, i + 1, shared ? column.value.apply(jobs.get(0)) : null);
			statement.setArray(i + 1 + PLAIN.size(),
					Sql.array(statement, column.type, shared ? List.of() : jobs, column.value));
		}
		return 2 * PLAIN.size() + 1;
	}

	/** Binds several jobs, one array for each column. */
	static void bindArrays(PreparedStatement statement, List<NewJobColumn> columns, List<NewJob> jobs)
			throws SQLException {
		Parameters parameters = new Parameters(statement);
		for (NewJobColumn column : columns) {
			parameters.array(column.type, jobs, column.value);
		}
	}

	/**
	 * Binds alike jobs that are due at once: one parameter for each column, and one for
	 * all payloads.
	 */
	static void bindAlike(PreparedStatement statement, List<NewJob> jobs) throws SQLException {
		for (int i = 0; i < ALIKE.size(); i++) {
			setText(statement, i + 1, ALIKE.get(i).value.apply(jobs.get(0)));
		}
		statement.setArray(AT_ONCE.size(), Sql.array(statement, PAYLOAD.type, jobs, PAYLOAD.value));
	}

	/**
	 * Binds text whose type the statement determines, which the server converts once. If
	 * it were declared as text, the server would convert it to a number or JSON for each
	 * row.
	 */
	private static void setText(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
		statement.setObject(index, (value != null) ? value.toString() : null, Types.OTHER);
	}

	private static UniqueKey unique(NewJob job) {
		return Objects.requireNonNull(job.request().unique());
	}

	private static String label(DuplicatePolicy policy) {
		if (policy instanceof DuplicatePolicy.Replace) {
			return "replace";
		}
		if (policy instanceof DuplicatePolicy.RunAgain) {
			return "run_again";
		}
		if (policy instanceof DuplicatePolicy.Merge) {
			return "merge";
		}
		return (policy instanceof DuplicatePolicy.Reject) ? "reject" : "keep";
	}

	private static @Nullable Object atMost(DuplicatePolicy policy) {
		return (policy instanceof DuplicatePolicy.Replace replace) ? Sql.microsOrNull(replace.atMost()) : null;
	}

	private static @Nullable Object time(@Nullable Instant time) {
		return (time != null) ? OffsetDateTime.ofInstant(time, ZoneOffset.UTC).toString() : null;
	}

	private static @Nullable Object unlessZero(Duration duration) {
		return duration.isZero() ? null : Sql.micros(duration);
	}

}

package io.pgqueue.engine.job;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import io.pgqueue.DuplicatePolicy;
import io.pgqueue.JobRequest;
import io.pgqueue.UniqueKey;
import io.pgqueue.engine.database.Parameters;
import io.pgqueue.engine.database.Sql;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a new job, column by column, in the order of the parameters of
 * {@link InsertStatement} and {@link KeyedStatement}. The jobs of one bulk enqueue are
 * mostly alike: a value that is the same in all of them is sent once, beside an empty
 * array, or without one if all but the payloads is the same; only the last column, the
 * payload, is never empty and tells how many there are.
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

	private static final List<NewJobColumn> PLAIN = List.of(QUEUE, TYPE, PRIORITY, MAX_ATTEMPTS, RUN_AT, DELAY,
			TOLERANCE, HEADERS, PAYLOAD);

	private static final List<NewJobColumn> AT_ONCE = List.of(QUEUE, TYPE, PRIORITY, MAX_ATTEMPTS, HEADERS, PAYLOAD);

	/** What jobs share that are alike: all of these but the payload. */
	private static final List<NewJobColumn> ALIKE = AT_ONCE.subList(0, AT_ONCE.size() - 1);

	/** The columns of a job with a limit key. */
	static final List<NewJobColumn> LIMITED = List.of(QUEUE, TYPE, PRIORITY, MAX_ATTEMPTS, RUN_AT, DELAY, TOLERANCE,
			HEADERS, LIMIT_KEY, PAYLOAD);

	/** The columns of a job with a unique key. */
	static final List<NewJobColumn> KEYED = List.of(QUEUE, TYPE, PRIORITY, MAX_ATTEMPTS,
			new NewJobColumn("text", (job) -> unique(job).value()), RUN_AT, DELAY, TOLERANCE,
			new NewJobColumn("bigint", (job) -> unlessZero(unique(job).keptFor())),
			new NewJobColumn("text", (job) -> label(unique(job).duplicates())), HEADERS, LIMIT_KEY, PAYLOAD);

	/** Whether nothing says that the job is due, or has its place, later. */
	static boolean isDueAtOnce(NewJob job) {
		JobRequest request = job.request();
		return request.runAt() == null && request.delay().isZero() && request.tolerance().isZero();
	}

	/** Whether that is so for all, and they differ in nothing but their payloads. */
	static boolean areAlikeAndDueAtOnce(List<NewJob> jobs) {
		return jobs.stream().allMatch(NewJobColumn::isDueAtOnce)
				&& ALIKE.stream().allMatch((column) -> column.isSharedBy(jobs));
	}

	private boolean isSharedBy(List<NewJob> jobs) {
		@Nullable Object first = this.value.apply(jobs.get(0));
		return jobs.stream().allMatch((job) -> Objects.equals(first, this.value.apply(job)));
	}

	/**
	 * Binds one job, a parameter a column.
	 * @param atOnce whether without the columns that say when it is due
	 */
	static void bind(PreparedStatement statement, NewJob job, boolean atOnce) throws SQLException {
		List<NewJobColumn> columns = atOnce ? AT_ONCE : PLAIN;
		for (int i = 0; i < columns.size(); i++) {
			setText(statement, i + 1, columns.get(i).value.apply(job));
		}
	}

	/**
	 * Binds many jobs: a parameter a column for what all share, then one for the rest.
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

	/** Binds many jobs, an array a column. */
	static void bindArrays(PreparedStatement statement, List<NewJobColumn> columns, List<NewJob> jobs)
			throws SQLException {
		Parameters parameters = new Parameters(statement);
		for (NewJobColumn column : columns) {
			parameters.array(column.type, jobs, column.value);
		}
	}

	/**
	 * Binds jobs that are alike and due at once: a parameter a column, the last one for
	 * all payloads.
	 */
	static void bindAlike(PreparedStatement statement, List<NewJob> jobs) throws SQLException {
		for (int i = 0; i < ALIKE.size(); i++) {
			setText(statement, i + 1, ALIKE.get(i).value.apply(jobs.get(0)));
		}
		statement.setArray(AT_ONCE.size(), Sql.array(statement, PAYLOAD.type, jobs, PAYLOAD.value));
	}

	/**
	 * As text whose type the statement says: the server reads it once. From one that is
	 * declared as a text it would make a number, or JSON, for each row anew.
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
		return (policy instanceof DuplicatePolicy.Merge) ? "merge" : "keep";
	}

	private static @Nullable Object time(@Nullable Instant time) {
		return (time != null) ? OffsetDateTime.ofInstant(time, ZoneOffset.UTC).toString() : null;
	}

	private static @Nullable Object unlessZero(Duration duration) {
		return duration.isZero() ? null : Sql.micros(duration);
	}

}

package io.pgqueue.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a new job, column by column, in the order of the parameters of
 * {@link InsertStatement}. The jobs of one bulk enqueue are mostly alike: a value that is
 * the same in all of them is sent once, beside an empty array; only the last column, the
 * payload, is never empty and tells how many there are.
 */
record NewJobColumn(String type, Function<NewJob, @Nullable Object> value) {

	private static final List<NewJobColumn> ALL = List.of(new NewJobColumn("text", (job) -> job.request().queue()),
			new NewJobColumn("text", (job) -> job.request().type()),
			new NewJobColumn("smallint", (job) -> job.request().priority()),
			new NewJobColumn("smallint", (job) -> job.request().maxAttempts()),
			new NewJobColumn("text", (job) -> job.request().uniqueKey()),
			new NewJobColumn("timestamptz", (job) -> time(job.request().runAt())),
			new NewJobColumn("bigint", (job) -> Sql.micros(job.request().delay())),
			new NewJobColumn("bigint", (job) -> tolerance(job.request().tolerance())),
			new NewJobColumn("text", NewJob::payload));

	/** Binds one job, a parameter a column. */
	static void bind(PreparedStatement statement, NewJob job) throws SQLException {
		for (int i = 0; i < ALL.size(); i++) {
			setText(statement, i + 1, ALL.get(i).value.apply(job));
		}
	}

	/**
	 * Binds many jobs: a parameter a column for what all share, then one for the rest.
	 */
	static void bind(PreparedStatement statement, List<NewJob> jobs) throws SQLException {
		for (int i = 0; i < ALL.size(); i++) {
			NewJobColumn column = ALL.get(i);
			@Nullable Object first = column.value.apply(jobs.get(0));
			boolean shared = i < ALL.size() - 1
					&& jobs.stream().allMatch((job) -> Objects.equals(first, column.value.apply(job)));
			setText(statement, i + 1, shared ? first : null);
			statement.setArray(i + 1 + ALL.size(),
					Sql.array(statement, column.type, shared ? List.of() : jobs, column.value));
		}
	}

	private static void setText(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
		statement.setString(index, (value != null) ? value.toString() : null);
	}

	private static @Nullable Object time(@Nullable Instant time) {
		return (time != null) ? OffsetDateTime.ofInstant(time, ZoneOffset.UTC).toString() : null;
	}

	private static @Nullable Object tolerance(Duration tolerance) {
		return tolerance.isZero() ? null : Sql.micros(tolerance);
	}

}

package io.rowqueue.engine.search;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;

/** Checks whether a filter still selects jobs that it has selected before. */
final class SelectedStatement {

	/** The condition of the filter is formatted into it. */
	private static final String SELECTED = """
			select j.id from unnest(?::bigint[]) as selected (id) cross join lateral %s j
			where (j.leased_at is null or j.leased_at <= ?::timestamptz) and %s order by j.id""";

	private final QueueDatabase database;

	SelectedStatement(QueueDatabase database) {
		this.database = database;
	}

	/**
	 * Reads the jobs.
	 * @param filter the filter; what leads to the jobs, such as their batch, does not
	 * change
	 * @param ids the jobs
	 * @param until only those that were not claimed later
	 */
	List<Long> execute(JobFilter filter, List<Long> ids, Instant until) {
		FilterCondition condition = FilterCondition.of(filter);
		List<Object> arguments = new ArrayList<>(List.of(ids.toArray(Long[]::new), String.valueOf(Sql.text(until))));
		arguments.addAll(condition.arguments());
		String sql = SELECTED.formatted(JobRowStatement.OF_ID.formatted("selected.id"), condition.sql());
		return this.database.jdbc()
			.query(Sql.in(this.database.schema(), sql), (row, index) -> row.getLong("id"), arguments.toArray());
	}

}

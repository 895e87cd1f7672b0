package io.rowqueue.engine.lease;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.rowqueue.JobLogLine;
import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import org.slf4j.event.Level;

/**
 * The logs of jobs, in a separate table, so that jobs that log nothing have no costs. All
 * methods throw {@link org.springframework.dao.DataAccessException} if the database
 * rejects a statement or is not available.
 */
public final class JobLogStore {

	/** The maximum number of lines that {@link #list} returns. */
	public static final int MAX_LINES = 500;

	/** The maximum number of rows that {@link #list} reads. */
	private static final int MAX_PARTS = 100;

	/**
	 * Attempts of which the log is kept. A job that is postponed again and again must not
	 * collect lines for ever.
	 */
	static final int MAX_LEASES = 50;

	/** To write a part again, because the answer was lost, has no effect. */
	private static final String WRITE = """
			with held as materialized (
				select id, lease, attempt, (?::integer[])[array_position(?::bigint[], id)] as part,
					(?::text[])[array_position(?::bigint[], id)] as lines
				from {schema}.job
				where {held}),
			outdated as (
				delete from {schema}.job_log old using held
				where held.part = 1 and old.job_id = held.id and old.lease <= held.lease - ?),
			written as (
				insert into {schema}.job_log (job_id, lease, part, attempt, lines)
				select id, lease, part, attempt, lines::json from held
				on conflict (job_id, lease, part) do nothing)
			select id from held""";

	private static final String LIST = """
			select l.attempt, l.lease, line.at, line.level, line.text
			from (select * from {schema}.job_log where job_id = ? order by lease desc, part desc limit ?) l
			cross join lateral rows from (
				json_to_recordset(l.lines) as (at timestamptz, level text, text text)) with ordinality line (at, level, text, place)
			order by l.lease desc, l.part desc, line.place desc limit ?""";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database runs the statements
	 */
	public JobLogStore(QueueDatabase database) {
		this.database = database;
	}

	/**
	 * Writes lines of leased jobs, one part of each, and returns the ids of the jobs
	 * whose lease is still held.
	 */
	public List<Long> write(long workerId, List<LogPart> parts) {
		List<Lease> leases = parts.stream().map(LogPart::lease).toList();
		return this.database.query(WRITE,
				(statement) -> new Parameters(statement).byId("integer", parts, LogPart::number, leases, Lease::jobId)
					.byId("text", parts, LogPart::lines, leases, Lease::jobId)
					.held(workerId, leases, Lease::jobId, Lease::token)
					.integer(MAX_LEASES),
				(row, index) -> row.getLong("id"));
	}

	/** Returns the latest lines of a job, the oldest first. */
	public List<JobLogLine> list(long jobId) {
		List<JobLogLine> lines = new ArrayList<>(
				this.database.query(LIST,
						(row, index) -> new JobLogLine(row.getInt("attempt"), row.getInt("lease"), Sql.time(row, "at"),
								Level.valueOf(row.getString("level")), row.getString("text")),
						jobId, MAX_PARTS, MAX_LINES));
		Collections.reverse(lines);
		return lines;
	}

}

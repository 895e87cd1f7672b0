package io.rowqueue.engine.explain;

import java.sql.ResultSet;
import java.sql.SQLException;

import io.rowqueue.engine.database.Sql;
import io.rowqueue.step.JobWait;
import io.rowqueue.step.JobWait.Kind;
import io.rowqueue.step.JobWait.State;
import org.jspecify.annotations.Nullable;

/** Reads what the handler of a scheduled job waits for. */
final class CurrentWaitStatement {

	/** The wait of a row {@code job}: the one that began under its latest lease. */
	static final String OF_JOB = """
			select w.kind as wait_kind, w.name as wait_name, w.began_at as wait_began, w.until as wait_until
			from {schema}.job_wait w where w.job_id = job.id and w.lease = job.lease limit 1""";

	private CurrentWaitStatement() {
	}

	static @Nullable JobWait of(ResultSet row) throws SQLException {
		String kind = row.getString("wait_kind");
		return (kind == null) ? null : new JobWait(Kind.of(kind), row.getString("wait_name"), State.WAITING,
				Sql.instant(row, "wait_began"), Sql.instant(row, "wait_until"), null);
	}

}

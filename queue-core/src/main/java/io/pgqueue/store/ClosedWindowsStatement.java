package io.pgqueue.store;

import java.util.List;

import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;

/** Which windows keep a waiting job from being claimed. */
final class ClosedWindowsStatement {

	private static final String CLOSED = """
			select p.kind, p.name, p.source, p.paused_at, p.open_from from {schema}.pause p
			where (p.kind, p.name) in (('queue', ?), ('type', ?)) and p.source <> '' and \
			""" + Pause.CLOSED + " order by p.open_from desc";

	private final JdbcOperations jdbc;

	private final String closed;

	ClosedWindowsStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.closed = Sql.in(schema, CLOSED);
	}

	List<Pause> execute(JobFacts facts) {
		JobFacts.Facts job = facts.job();
		return (job == null) ? List.of()
				: this.jdbc.query(this.closed, (row, index) -> new Pause(row.getString("kind"), row.getString("name"),
						Sql.time(row, "paused_at"), null, row.getString("source"), Sql.instant(row, "open_from")),
						job.queue(), job.type());
	}

}

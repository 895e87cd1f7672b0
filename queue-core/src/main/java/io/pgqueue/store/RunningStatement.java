package io.pgqueue.store;

import java.util.Collection;
import java.util.List;

import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Shows which leased jobs really run. Written only for jobs that run for a while: most
 * are over before anybody could look.
 */
final class RunningStatement {

	private static final String RUNNING = """
			update {schema}.job set state = 'running'
			where ctid = any (array(
				select ctid from {schema}.job
				where id = any (?) and worker_id = ? and lease = (?::integer[])[array_position(?::bigint[], id)]
				for no key update skip locked))
			returning id""";

	private static final String BEGIN = """
			update {schema}.job set state = 'running' where id = ? and worker_id = ? and lease = ?""";

	private final JdbcOperations jdbc;

	private final String running;

	private final String begin;

	RunningStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.running = Sql.in(schema, RUNNING);
		this.begin = Sql.in(schema, BEGIN);
	}

	/** Shows that one job runs; returns whether its lease is held. */
	boolean execute(long workerId, Lease lease) {
		return this.jdbc.update(this.begin, lease.jobId(), workerId, lease.token()) == 1;
	}

	/**
	 * Returns the ids of the jobs that are shown; others are locked, or their lease was
	 * lost.
	 */
	List<Long> execute(long workerId, Collection<Lease> leases) {
		return this.jdbc.query(this.running, (statement) -> Sql.bindLeases(statement, 1, workerId, leases),
				(row, index) -> row.getLong("id"));
	}

}

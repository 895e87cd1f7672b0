package io.pgqueue.store;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Reads what jobs returned: from what is kept for their successors, else from the
 * history.
 */
final class ResultStatement {

	private static final String OF_STEP = """
			select r.result
			from {schema}.flow_step me join {schema}.flow_step s on s.flow_id = me.flow_id and s.name = ?
				left join {schema}.job_result r on r.job_id = s.job_id
			where me.job_id = ?""";

	private static final String OF_JOB = """
			select result from {schema}.job_result where job_id = ?
			union all
			select result from {schema}.job_finished where id = ? and result is not null
			limit 1""";

	private final JdbcOperations jdbc;

	private final String ofStep;

	private final String ofJob;

	ResultStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.ofStep = Sql.in(schema, OF_STEP);
		this.ofJob = Sql.in(schema, OF_JOB);
	}

	StepResult ofStep(long jobId, String step) {
		List<StepResult> results = this.jdbc.query(this.ofStep,
				(row, index) -> new StepResult(true, row.getString("result")), step, jobId);
		return results.isEmpty() ? new StepResult(false, null) : results.get(0);
	}

	Optional<String> ofJob(long jobId) {
		return this.jdbc
			.query(this.ofJob, (row, index) -> Objects.requireNonNull(row.getString("result")), jobId, jobId)
			.stream()
			.findFirst();
	}

}

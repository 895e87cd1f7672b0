package io.pgqueue.engine.job;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.pgqueue.JobQueueException;
import io.pgqueue.engine.database.Parameters;
import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.engine.lease.KeptJobs;
import io.pgqueue.flow.Predecessors;

/**
 * Lets jobs that are stored as blocked wait for others. Nothing locks a job that may be
 * running: its end must not wait for whoever enqueues.
 */
public final class DependStatement {

	private static final String UNKNOWN = """
			select {schema}.find_unknown_predecessor(?::bigint[], ?) as id""";

	private static final String DEPEND = """
			select {schema}.add_dependencies(?::bigint[], ?::bigint[], ?::text[])""";

	private static final String INSERT = """
			insert into {schema}.job_dependency (predecessor_id, successor_id, when_failed)
			select * from unnest(?::bigint[], ?::bigint[], ?::text[])""";

	private final QueueDatabase database;

	private final boolean everySuccessIsKept;

	public DependStatement(QueueDatabase database, KeptJobs kept) {
		this.database = database;
		this.everySuccessIsKept = kept.all();
	}

	/** What each job was asked to run after. */
	public static List<Dependency> of(List<NewJob> jobs, List<Long> ids) {
		List<Dependency> dependencies = new ArrayList<>();
		for (int i = 0; i < jobs.size(); i++) {
			long id = ids.get(i);
			Predecessors predecessors = jobs.get(i).request().predecessors();
			predecessors.ids()
				.forEach((before) -> dependencies.add(new Dependency(before, id, predecessors.whenFailed())));
		}
		return dependencies;
	}

	/** On jobs that the same transaction has stored as tracked. */
	void executeNew(List<Dependency> dependencies) {
		if (!dependencies.isEmpty()) {
			this.database.update(INSERT, (statement) -> bind(statement, dependencies));
		}
	}

	/**
	 * On any jobs.
	 * @throws JobQueueException if there is none of an id
	 */
	public void execute(List<Dependency> dependencies) {
		if (dependencies.isEmpty()) {
			return;
		}
		List<Long> predecessors = dependencies.stream().map(Dependency::predecessorId).distinct().toList();
		List<Optional<Long>> unknown = this.database.query(UNKNOWN,
				(statement) -> new Parameters(statement).numbers(predecessors).flag(this.everySuccessIsKept),
				(row, index) -> Optional.ofNullable(row.getObject("id", Long.class)));
		unknown.get(0).ifPresent((id) -> {
			throw new JobQueueException(
					("There is no job %d to run after: its enqueue is not committed, or was rolled back,"
							+ " or it has been over for longer than such jobs are kept")
						.formatted(id));
		});
		this.database.query(DEPEND, (statement) -> bind(statement, dependencies), (row) -> {
		});
	}

	private static void bind(PreparedStatement statement, List<Dependency> dependencies) throws SQLException {
		new Parameters(statement).array("bigint", dependencies, Dependency::predecessorId)
			.array("bigint", dependencies, Dependency::successorId)
			.array("text", dependencies, (each) -> each.whenFailed().label());
	}

}

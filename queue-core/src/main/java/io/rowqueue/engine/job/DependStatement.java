package io.rowqueue.engine.job;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.flow.Predecessors;
import io.rowqueue.flow.WhenFailed;

/**
 * Adds dependencies to jobs that are stored as blocked. It does not lock jobs that may be
 * running, since their end must not wait for a transaction that enqueues.
 */
final class DependStatement {

	private static final String UNKNOWN = """
			select {schema}.find_unknown_predecessor(?::bigint[], ?) as id""";

	private static final String DEPEND = """
			select {schema}.add_dependencies(?::bigint[], ?::bigint[], ?::text[], ?)""";

	private static final String INSERT = """
			insert into {schema}.job_dependency (predecessor_id, successor_id, when_failed)
			select * from unnest(?::bigint[], ?::bigint[], ?::text[])""";

	private final QueueDatabase database;

	private final boolean everySuccessIsKept;

	DependStatement(QueueDatabase database, KeptJobs kept) {
		this.database = database;
		this.everySuccessIsKept = kept.all();
	}

	/** Adds the predecessors of each request. */
	static List<Dependency> of(List<NewJob> jobs, List<Long> ids) {
		List<Dependency> dependencies = new ArrayList<>();
		for (int i = 0; i < jobs.size(); i++) {
			long id = ids.get(i);
			Predecessors predecessors = jobs.get(i).request().predecessors();
			predecessors.ids()
				.forEach((before) -> dependencies.add(new Dependency(before, id, predecessors.whenFailed())));
		}
		return dependencies;
	}

	/** Adds dependencies on jobs that the same transaction has stored as tracked. */
	void executeNew(List<Dependency> dependencies) {
		if (!dependencies.isEmpty()) {
			this.database.update(INSERT, (statement) -> bind(statement, dependencies));
		}
	}

	/**
	 * Checks the predecessors of requests before anything is stored: a caller may catch
	 * the exception and commit, and a job without its dependencies would be blocked for
	 * ever.
	 * @throws UnknownPredecessorException if a job does not exist
	 */
	void check(List<NewJob> jobs) {
		List<Long> predecessors = jobs.stream()
			.flatMap((job) -> job.request().predecessors().ids().stream())
			.distinct()
			.toList();
		if (predecessors.isEmpty()) {
			return;
		}
		List<Optional<Long>> unknown = this.database.query(UNKNOWN,
				(statement) -> new Parameters(statement).numbers(predecessors).flag(this.everySuccessIsKept),
				(row, index) -> Optional.ofNullable(row.getObject("id", Long.class)));
		unknown.get(0).ifPresent((id) -> {
			throw new UnknownPredecessorException(id);
		});
	}

	/**
	 * Adds dependencies on any jobs, which were found before. One that has gone since,
	 * because it was erased, has not succeeded.
	 */
	void execute(List<Dependency> dependencies) {
		if (!dependencies.isEmpty()) {
			this.database.query(DEPEND, (statement) -> bind(statement, dependencies).flag(this.everySuccessIsKept),
					(row) -> {
					});
		}
	}

	private static Parameters bind(PreparedStatement statement, List<Dependency> dependencies) throws SQLException {
		return new Parameters(statement).array("bigint", dependencies, Dependency::predecessorId)
			.array("bigint", dependencies, Dependency::successorId)
			.array("text", dependencies, (each) -> each.whenFailed().label());
	}

	/**
	 * The dependency of a job on another one.
	 *
	 * @param predecessorId the id of the job that runs first
	 * @param successorId the id of the job that waits for it
	 * @param whenFailed what happens to the successor if the predecessor does not succeed
	 */
	record Dependency(long predecessorId, long successorId, WhenFailed whenFailed) {

	}

}

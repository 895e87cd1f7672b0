package io.rowqueue.engine.transport;

import java.util.HashSet;
import java.util.Set;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.support.QueueClass;

/**
 * Reads which queues and types are not run, or only within a limit that the database
 * counts, whether the broker may have jobs that were moved, and the time of the database.
 */
final class AvailabilityStore {

	private static final String READ = """
			select (extract(epoch from clock_timestamp() - timestamptz '2000-01-01 00:00:00+00') * 1000000)::bigint as now,
				exists (select from {schema}.parked where moved) as moved, kind, name, what
			from (values (true)) always left join (
				select p.kind, p.name, 'pause' as what from {schema}.pause p where {closed}
				union all
				select kind, name, 'limit' from {schema}.job_limit where kind in ('queue', 'type')) rule on true""";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database the database as workers see it
	 */
	public AvailabilityStore(QueueDatabase database) {
		this.database = database;
	}

	Availability read() {
		Set<String> pausedTypes = new HashSet<>();
		Set<String> limitedTypes = new HashSet<>();
		Set<String> queues = new HashSet<>();
		long[] now = new long[1];
		boolean[] moved = new boolean[1];
		this.database.forEach(READ, (row) -> {
			now[0] = row.getLong("now");
			moved[0] = row.getBoolean("moved");
			String name = row.getString("name");
			if (name == null) {
				return;
			}
			if (row.getString("kind").equals("queue")) {
				queues.add(name);
			}
			else {
				(row.getString("what").equals("pause") ? pausedTypes : limitedTypes).add(name);
			}
		});
		return new Availability(pausedTypes, limitedTypes, queues, moved[0], now[0], System.nanoTime());
	}

	/**
	 * What can be run, as of some time ago.
	 *
	 * @param pausedTypes types that are not run now
	 * @param limitedTypes types whose concurrency or rate is limited in the cluster
	 * @param closedQueues queues and classes of queues that are not run now, or that have
	 * such a limit
	 * @param moved whether jobs were moved from the outbox to the database within about a
	 * day, although the broker may have them
	 * @param now the time of the database, in the unit of
	 * {@link io.rowqueue.engine.database.PostgresTime}
	 * @param readAt the nano time at which that was
	 */
	record Availability(Set<String> pausedTypes, Set<String> limitedTypes, Set<String> closedQueues, boolean moved,
			long now, long readAt) {

		/** Whether the jobs of a queue are not run now, or within such a limit. */
		boolean isClosed(String queue) {
			return this.closedQueues.stream().anyMatch((closed) -> QueueClass.isNamed(closed, queue));
		}

		/** The time of the database by now, in the same unit. */
		long time() {
			return this.now + (System.nanoTime() - this.readAt) / 1000;
		}

	}

}

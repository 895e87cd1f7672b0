package io.rowqueue.engine.wakeup;

import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.listen.StoreListener;

/**
 * Notifies the workers of all processes. It sends one notification for each queue, and
 * one each for the outbox and for maintenance on separate channels, in a transaction that
 * does nothing else. The commit is asynchronous: a crash of the server ends the sessions
 * that listen, so that a notification that is lost with it would not have arrived anyway.
 */
public final class WakeUpStore {

	private static final String NOTIFY = """
			select pg_notify({schema}.wake_up_channel(), queue), set_config('synchronous_commit', 'off', true)
			from unnest(?::text[]) as queue
			union all
			select pg_notify({schema}.wake_up_channel() || '_outbox', ''), set_config('synchronous_commit', 'off', true)
			where ?
			union all
			select pg_notify({schema}.wake_up_channel() || '_deferred', ''), set_config('synchronous_commit', 'off', true)
			where ?""";

	private final QueueDatabase database;

	private final StoreListener listener;

	/**
	 * Creates the store.
	 * @param database the database as workers see it
	 * @param listener notified of the notifications that are sent
	 */
	public WakeUpStore(QueueDatabase database, StoreListener listener) {
		this.database = database;
		this.listener = listener;
	}

	/**
	 * Notifies the workers of the queues, and those that publish jobs of the outbox.
	 * @throws org.springframework.dao.DataAccessException if the database rejects the
	 * statement or is not available
	 */
	public void wakeUp(Arrivals arrivals) {
		this.database.query(NOTIFY,
				(statement) -> new Parameters(statement).texts(arrivals.queues())
					.flag(arrivals.outbox())
					.flag(arrivals.deferred()),
				(row) -> {
				});
		this.listener.notified();
	}

}

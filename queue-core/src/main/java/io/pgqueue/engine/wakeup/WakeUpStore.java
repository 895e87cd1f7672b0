package io.pgqueue.engine.wakeup;

import java.util.Collection;

import io.pgqueue.engine.database.Parameters;
import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.engine.listen.StoreListener;

/**
 * Wakes the workers of all processes. It sends one notification a queue, in a transaction
 * that does nothing else, and does not wait for the log, nor for standbys: a crash of the
 * server takes those away who listen, and with them what they have not heard.
 */
public final class WakeUpStore {

	private static final String NOTIFY = """
			select pg_notify({schema}.wake_up_channel(), queue), set_config('synchronous_commit', 'off', true)
			from unnest(?::text[]) as queue""";

	private final QueueDatabase database;

	private final StoreListener listener;

	/**
	 * Creates the store.
	 * @param database where workers see the queue
	 * @param listener notified of the notifications that are sent
	 */
	public WakeUpStore(QueueDatabase database, StoreListener listener) {
		this.database = database;
		this.listener = listener;
	}

	/**
	 * Wakes those that listen for these queues.
	 * @throws org.springframework.dao.DataAccessException if the database refuses or is
	 * away
	 */
	public void wakeUp(Collection<String> queues) {
		this.database.query(NOTIFY, (statement) -> new Parameters(statement).texts(queues), (row) -> {
		});
		this.listener.notified();
	}

}

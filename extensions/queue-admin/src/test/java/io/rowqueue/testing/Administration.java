package io.rowqueue.testing;

import io.rowqueue.engine.admin.DefaultJobAdmin;
import io.rowqueue.engine.wakeup.WakeUps;

/** The administration of the queue of a test, as in another process. */
public final class Administration {

	private Administration() {
	}

	public static DefaultJobAdmin of(Engine engine) {
		return new DefaultJobAdmin(engine.queueDatabase(), engine.wakeUps());
	}

	public static DefaultJobAdmin of(StoreDatabase database) {
		return of(database, WakeUps.ofThisProcess(database.queueDatabase()));
	}

	public static DefaultJobAdmin of(StoreDatabase database, WakeUps wakeUps) {
		return new DefaultJobAdmin(database.queueDatabase(), wakeUps);
	}

}

package io.rowqueue.testing;

import io.rowqueue.admin.JobAdmin;
import io.rowqueue.engine.admin.DefaultJobAdmin;
import io.rowqueue.engine.wakeup.WakeUps;

/** The administration of the queue of a test, as in another process. */
public final class Administration {

	private Administration() {
	}

	public static JobAdmin of(Engine engine) {
		return new DefaultJobAdmin(engine.queueDatabase(), engine.wakeUps());
	}

	public static JobAdmin of(StoreDatabase database) {
		return of(database, WakeUps.ofThisProcess(database.jobs().admission()));
	}

	public static JobAdmin of(StoreDatabase database, WakeUps wakeUps) {
		return new DefaultJobAdmin(database.queueDatabase(), wakeUps);
	}

}

package io.rowqueue.lab.verify.fault;

import java.sql.SQLException;

/** Notifications are lost: no process sends them, and none could receive them. */
final class Deaf implements FaultUnderLoad {

	@Override
	public String name() {
		return "deaf";
	}

	@Override
	public String description() {
		return "jobs are enqueued without a NOTIFY, and the sessions that LISTEN are cut: workers find jobs by polling";
	}

	@Override
	public void strike(Scene scene) throws InterruptedException, SQLException {
		scene.producer().silent(true);
		scene.harm("no notifications from now on");
		while (!scene.isOver()) {
			scene.site().cutListeners();
			scene.pause(200, 1500);
		}
		scene.producer().silent(false);
		scene.healed("notifications are sent again");
	}

}

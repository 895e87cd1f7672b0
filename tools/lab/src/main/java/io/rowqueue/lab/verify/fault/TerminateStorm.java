package io.rowqueue.lab.verify.fault;

import java.sql.SQLException;

/** All connections are cut, again and again. */
final class TerminateStorm implements FaultUnderLoad {

	@Override
	public String name() {
		return "terminate";
	}

	@Override
	public String description() {
		return "pg_terminate_backend of every connection of workers and producers, several times a second";
	}

	@Override
	public void strike(Scene scene) throws InterruptedException, SQLException {
		scene.harm("a storm of pg_terminate_backend begins");
		while (!scene.isOver()) {
			scene.site().cutSessions();
			scene.pause(50, 700);
		}
		scene.healed("the storm has ended");
	}

}

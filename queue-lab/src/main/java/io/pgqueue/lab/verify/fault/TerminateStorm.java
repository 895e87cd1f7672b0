package io.pgqueue.lab.verify.fault;

import java.sql.SQLException;

import io.pgqueue.lab.verify.site.Site;

/** All connections are cut, again and again. */
final class TerminateStorm implements Fault {

	private static final String ALL = "select pg_terminate_backend(pid) from pg_stat_activity"
			+ " where datname = current_database() and application_name like '" + Site.APPLICATION + "%'";

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
			scene.execute(ALL);
			scene.pause(50, 700);
		}
		scene.healed("the storm is over");
	}

}

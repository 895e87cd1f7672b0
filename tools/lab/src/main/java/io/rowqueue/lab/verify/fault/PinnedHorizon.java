package io.rowqueue.lab.verify.fault;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A transaction that stays open keeps every dead row. */
final class PinnedHorizon implements FaultUnderLoad {

	@Override
	public String name() {
		return "pinned";
	}

	@Override
	public String description() {
		return "a REPEATABLE READ transaction stays open, so that no dead row can be removed";
	}

	@Override
	public void strike(Scene scene) throws InterruptedException, SQLException {
		try (Connection connection = scene.site().connect(); Statement statement = connection.createStatement()) {
			statement.execute("begin isolation level repeatable read");
			statement.execute("select count(*) from pg_class");
			scene.note("the horizon is pinned");
			scene.awaitEnd();
		}
		scene.note("the horizon is free again");
	}

}

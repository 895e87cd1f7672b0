package io.rowqueue.lab.contestant;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;

/** Databases as contestants get them. */
public final class LabDatabase {

	private LabDatabase() {
	}

	/** The URL of a fresh one, with user and password. */
	public static String url() {
		Database database = DevPostgres.shared().createDatabase("lab");
		String separator = database.url().contains("?") ? "&" : "?";
		return database.url() + separator + "user=" + database.username() + "&password=" + database.password();
	}

}

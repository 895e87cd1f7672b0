package io.rowqueue.lab.verify.site;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.rowqueue.postgres.PrivatePostgres;
import io.rowqueue.postgres.StopMode;

/**
 * A primary and a streaming standby. A commit is acknowledged when both have it, so that
 * a promotion loses nothing. Applications know both addresses and look for the one that
 * takes writes.
 */
public final class ReplicatedSite extends Site {

	private final PrivatePostgres primary;

	private final PrivatePostgres standby;

	private ReplicatedSite(PrivatePostgres primary, PrivatePostgres standby) {
		super(primary.database(), null);
		this.primary = primary;
		this.standby = standby;
	}

	/** Creates both servers and waits until one follows the other. */
	public static ReplicatedSite create(Sites sites) throws SQLException, InterruptedException {
		PrivatePostgres primary = sites.create("primary", Map.of());
		PrivatePostgres standby = primary.standby(sites.home("standby"), "standby");
		ReplicatedSite site = new ReplicatedSite(primary, standby);
		try (Connection connection = site.connect(); Statement statement = connection.createStatement()) {
			statement.execute("alter system set synchronous_standby_names = 'standby'");
			statement.execute("select pg_reload_conf()");
			long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
			while (!isSynchronous(statement)) {
				if (System.nanoTime() > deadline) {
					throw new IllegalStateException("The standby does not follow, see " + standby.home());
				}
				TimeUnit.MILLISECONDS.sleep(100);
			}
		}
		return site;
	}

	private static boolean isSynchronous(Statement statement) throws SQLException {
		try (ResultSet state = statement
			.executeQuery("select exists (select from pg_stat_replication where sync_state = 'sync')")) {
			state.next();
			return state.getBoolean(1);
		}
	}

	/**
	 * The primary dies, and the standby takes its place; returns when it takes writes.
	 */
	public void failOver() {
		this.primary.stop(StopMode.IMMEDIATE);
		this.standby.promote();
	}

	@Override
	protected String url() {
		return "jdbc:postgresql://127.0.0.1:" + this.primary.port() + ",127.0.0.1:" + this.standby.port()
				+ "/postgres?targetServerType=primary&hostRecheckSeconds=1";
	}

	@Override
	public void close() {
		this.standby.close();
		this.primary.close();
	}

}

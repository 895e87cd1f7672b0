package io.rowqueue.postgres;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session that stops its own server when no other session has been connected for a
 * while. It continues when the JVM that opened it is killed: a server notices the end of
 * its client only when it reads from it or writes to it, and this session does neither.
 */
final class ServerGuard {

	static final String NAME = "dev-postgres guard";

	private static final Logger logger = LoggerFactory.getLogger(ServerGuard.class);

	/** Held by the one guard of a server. */
	private static final int GUARD = 7_001;

	/**
	 * Held by the guard while it counts other sessions, and until the end before it stops
	 * the server.
	 */
	private static final int DOOR = 7_002;

	private static final int ROUNDS_PER_SECOND = 4;

	private static final String WATCH = """
			do $guard$
			declare
				unused int := 0;
			begin
				if not pg_try_advisory_lock(%s) then
					return;
				end if;
				loop
					perform pg_sleep(1.0 / %s);
					perform pg_advisory_lock(%s);
					if exists (select from pg_stat_activity
							where backend_type = 'client backend' and application_name <> '%s') then
						unused := 0;
					else
						unused := unused + 1;
					end if;
					exit when unused > %s;
					perform pg_advisory_unlock(%s);
					commit;
				end loop;
				copy (select) to program '%s';
				perform pg_sleep(600);
			end
			$guard$""";

	private ServerGuard() {
	}

	/** Starts a guard that ends at once if there is one. */
	static void watch(Database server, Cluster cluster, Duration linger) throws IOException {
		Optional<Postmaster> postmaster = Postmaster.of(cluster.data());
		if (postmaster.isEmpty()) {
			return; // already stopped
		}
		// a fast shutdown
		String stop = '"' + cluster.binaries().program("pg_ctl") + "\" kill INT " + postmaster.get().id();
		long rounds = linger.toMillis() * ROUNDS_PER_SECOND / 1000;
		String watch = WATCH.formatted(GUARD, ROUNDS_PER_SECOND, DOOR, NAME, rounds, DOOR, stop.replace("'", "''"));
		Thread thread = new Thread(() -> watch(server, watch), NAME);
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Starts again if the session was ended, as long as the server runs.
	 */
	private static void watch(Database server, String watch) {
		Optional<Connection> session = Connections.tryOpen(server, NAME);
		while (session.isPresent()) {
			try (Connection connection = session.get()) {
				// no message is sent to the client, which does not read
				Connections.execute(connection, "set client_min_messages = error");
				Connections.execute(connection, watch);
				return;
			}
			catch (SQLException ex) {
				logger.debug("The guard of {} was ended", server.url(), ex);
				session = Connections.tryOpen(server, NAME);
			}
		}
	}

	/**
	 * Returns whether the server remains running for this session, which the guard counts
	 * from now on. If the server is about to stop, this method returns when it has ended
	 * the session.
	 */
	static boolean admits(Connection session) {
		try {
			Connections.execute(session, "select pg_advisory_lock_shared(" + DOOR + ")");
			Connections.execute(session, "select pg_advisory_unlock_shared(" + DOOR + ")");
			return true;
		}
		catch (SQLException ex) {
			logger.debug("The server stops", ex);
			return false;
		}
	}

}

package io.pgqueue.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * A server with a keeper, held by an idle connection that tells the keeper of its user.
 *
 * @param home where the keeper is met
 * @param facts what the keeper told
 * @param presence the idle connection
 * @param durable whether its data outlives it
 */
record KeptServer(ServerHome home, ServerFacts facts, Connection presence, boolean durable) {

	private static final String NAME = "dev-postgres user";

	/** Uses the running server, or starts one. */
	static KeptServer acquire(ServerSettings settings) {
		ServerHome home = new ServerHome(settings.home());
		try (DirectoryLock lock = home.lock()) {
			home.forgetLeft();
			Optional<ServerFacts> running = home.facts();
			Optional<Connection> presence = running.flatMap((facts) -> Connections.tryOpen(database(facts), NAME));
			if (running.isPresent() && presence.isPresent()) {
				ServerFacts facts = running.get().keeper().isAlive() ? running.get()
						: new KeeperLauncher(settings, home).launch();
				return new KeptServer(home, facts, presence.get(), settings.durable());
			}
			home.forgetFacts();
			ServerFacts facts = new KeeperLauncher(settings, home).launch();
			return new KeptServer(home, facts, Connections.open(database(facts), NAME), settings.durable());
		}
		catch (SQLException ex) {
			throw new IllegalStateException("PostgreSQL was started, but does not answer", ex);
		}
	}

	Database database() {
		return database(this.facts);
	}

	private static Database database(ServerFacts facts) {
		return new Database(facts.url(), facts.username(), facts.password());
	}

	void leave() {
		try {
			this.home.markLeft();
			this.presence.close();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

}

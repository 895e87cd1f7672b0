package io.pgqueue.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process that owns a server for as long as anybody is connected to it, however its
 * users come and go. Users talk to it through the {@link ServerHome} only.
 */
final class PostgresKeeper {

	static final String NAME = "dev-postgres keeper";

	private static final Logger logger = LoggerFactory.getLogger(PostgresKeeper.class);

	private static final Duration POLL = Duration.ofMillis(500);

	/** How long clients may go on after the keeper was told to end. */
	private static final Duration GRACE = Duration.ofSeconds(60);

	private static final String CLIENTS = "select count(*) from pg_stat_activity "
			+ "where backend_type = 'client backend' and application_name <> '" + NAME + "'";

	private final ServerHome home;

	private final Linger linger;

	private final KeeperId self = KeeperId.of(ProcessHandle.current());

	private final CountDownLatch told = new CountDownLatch(1);

	private final CountDownLatch ended = new CountDownLatch(1);

	private Optional<Deadline> grace = Optional.empty();

	private PostgresKeeper(ServerHome home, Linger linger) {
		this.home = home;
		this.linger = linger;
	}

	public static void main(String[] arguments) throws SQLException {
		ServerSettings settings = ServerSettings.ofArguments(List.of(arguments));
		ServerHome home = new ServerHome(settings.home());
		PostgresKeeper keeper = new PostgresKeeper(home, settings.linger());
		Runtime.getRuntime().addShutdownHook(new Thread(keeper::endByRequest, "end"));
		try {
			keeper.keep(keeper.start(settings));
		}
		catch (RuntimeException | SQLException ex) {
			logger.error("The keeper gave up", ex);
			home.reportFailure(String.valueOf(ex.getMessage()));
			throw ex;
		}
		finally {
			keeper.ended.countDown();
		}
	}

	private Server start(ServerSettings settings) {
		ServerStarter.Started started = new ServerStarter(settings, this.home.facts()).start();
		Database database = started.server().database();
		this.home.publish(new ServerFacts(started.provider(), database.url(), database.username(), database.password(),
				started.reason(), this.self));
		return started.server();
	}

	private void endByRequest() {
		this.told.countDown();
		try {
			if (!this.ended.await(GRACE.multipliedBy(3).toSeconds(), TimeUnit.SECONDS)) {
				logger.warn("Ended without having stopped the server");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void keep(Server server) throws SQLException {
		boolean over = false;
		while (!over) {
			try (Connection connection = Connections.open(server.database(), NAME)) {
				over = watch(server, connection);
			}
		}
	}

	/** Ends with false when somebody has cut the connection. */
	private boolean watch(Server server, Connection connection) throws SQLException {
		Deadline empty = Deadline.in(this.linger.beforeFirst());
		while (isMine(this.grace.isPresent())) {
			if (!connection.isValid(5)) {
				return false;
			}
			boolean used = isUsed(connection);
			if (used) {
				empty = Deadline.in(this.linger.afterLast());
			}
			if (this.grace.isEmpty() && isTold()) {
				handOver();
				this.grace = Optional.of(Deadline.in(GRACE));
			}
			boolean unused = !used && (this.grace.isPresent() || this.home.isLeft() || empty.isOver());
			boolean late = this.grace.filter(Deadline::isOver).isPresent();
			if ((unused || late) && stop(server, connection, this.grace.isPresent(), late)) {
				return true;
			}
			Pause.of(POLL);
		}
		logger.info("Another keeper has taken over");
		return true;
	}

	/**
	 * Whoever comes from now on starts a keeper of their own, which adopts the server.
	 */
	private void handOver() {
		try (DirectoryLock lock = this.home.lock()) {
			this.home.facts()
				.filter((facts) -> facts.keeper().equals(this.self))
				.ifPresent((facts) -> this.home.publish(facts.keptBy(KeeperId.NOBODY)));
		}
	}

	private boolean stop(Server server, Connection connection, boolean told, boolean late) throws SQLException {
		try (DirectoryLock lock = this.home.lock()) {
			if (!isMine(told) || (!late && isUsed(connection))) {
				return false;
			}
			logger.info("Stopping the server ({})", late ? "its users do not end" : "nobody uses it");
			connection.close();
			server.stop();
			this.home.forgetFacts();
			this.home.forgetLeft();
			return true;
		}
	}

	private boolean isMine(boolean handedOver) {
		return this.home.facts()
			.map(ServerFacts::keeper)
			.filter((keeper) -> keeper.equals(this.self) || (handedOver && keeper.equals(KeeperId.NOBODY)))
			.isPresent();
	}

	private boolean isTold() {
		return this.told.getCount() == 0;
	}

	private static boolean isUsed(Connection connection) throws SQLException {
		return !Connections.query(connection, CLIENTS).equals("0");
	}

}

package io.rowqueue.lab.verify.site;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class SiteTests {

	private final Database database = DevPostgres.shared().createDatabase("site");

	private final Site site = new Site(this.database, null);

	private Connection listener;

	private Connection session;

	private Connection foreign;

	@BeforeEach
	void open() throws SQLException {
		this.listener = connect(this.site.properties().get("spring.datasource.url"));
		lock(this.listener, 1);
		this.session = connect(this.site.properties().get("spring.datasource.url"));
		this.foreign = connect(this.database.url());
		lock(this.foreign, 2);
	}

	/** The pool of a worker, like that of any other application of rowqueue. */
	private Connection connect(String url) throws SQLException {
		Properties properties = new Properties();
		properties.setProperty("user", this.database.username());
		properties.setProperty("password", this.database.password());
		properties.setProperty("ApplicationName", "rowqueue");
		return DriverManager.getConnection(url, properties);
	}

	private static void lock(Connection connection, int key) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute("select pg_advisory_lock(" + key + ")");
		}
	}

	@AfterEach
	void close() throws SQLException {
		this.listener.close();
		this.session.close();
		this.foreign.close();
	}

	@Test
	void aSiteCutsTheListenersOfItsOwnRunOnly() throws SQLException {
		this.site.cutListeners();
		awaitCut(this.listener);
		assertThat(this.session.isValid(5)).isTrue();
		assertThat(this.foreign.isValid(5)).isTrue();
	}

	@Test
	void aSiteCutsTheSessionsOfItsOwnRunOnly() throws SQLException {
		this.site.cutSessions();
		awaitCut(this.listener);
		awaitCut(this.session);
		assertThat(this.foreign.isValid(5)).isTrue();
	}

	private static void awaitCut(Connection connection) {
		await().atMost(Duration.ofSeconds(10)).until(() -> !connection.isValid(5));
	}

}

package io.rowqueue.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assumptions.assumeThat;

class SharedServerTests {

	private final DevPostgres postgres = DevPostgres.shared();

	@Test
	void theServerIsTheSameForAllUsers() {
		Executor threads = (task) -> new Thread(task).start();
		var first = CompletableFuture.supplyAsync(DevPostgres::shared, threads);
		var second = CompletableFuture.supplyAsync(DevPostgres::shared, threads);
		assertThat(first.join()).isSameAs(second.join()).isSameAs(this.postgres);
	}

	@Test
	void theServerIsOfTheVersionThatTheBuildChose() {
		assertThat(this.postgres.version()).startsWith(System.getProperty("postgres.version") + ".");
	}

	@Test
	void aNewDatabaseIsUnused() throws Exception {
		Database first = this.postgres.createDatabase("fresh");
		Database second = this.postgres.createDatabase("fresh");
		TestServers.execute(first, "create table t (id int)");
		assertThat(TestServers.query(first, "select to_regclass('t') is not null")).isEqualTo("t");
		assertThat(TestServers.query(second, "select to_regclass('t') is not null")).isEqualTo("f");
	}

	@Test
	void aCopyHasTheTablesOfItsTemplateAndIsIndependentOfIt() throws Exception {
		Database template = this.postgres.createDatabase("template");
		TestServers.execute(template, "create table t (id int)");
		Database copy = this.postgres.createDatabase("copy", template);
		TestServers.execute(copy, "drop table t");
		assertThat(TestServers.query(copy, "select to_regclass('t') is not null")).isEqualTo("f");
		assertThat(TestServers.query(template, "select to_regclass('t') is not null")).isEqualTo("t");
	}

	@Test
	void tablesOfATemplateAreCreatedOnceForAllProcesses() throws Exception {
		assumeThat(GivenServer.find()).as("the server that processes of a build share").isEmpty();
		AtomicInteger created = new AtomicInteger();
		Consumer<DataSource> tables = (dataSource) -> {
			created.incrementAndGet();
			createTable(dataSource);
		};
		Database first = this.postgres.createDatabase("first", getClass(), tables);
		try (SharedServer server = SharedServer.open(Places.ofThisUser().shared(), false, Duration.ofMinutes(1))) {
			DevPostgres ofAnotherProcess = new DevPostgres(server.database(), server);
			Database second = ofAnotherProcess.createDatabase("second", getClass(), tables);
			TestServers.execute(first, "drop table t");
			assertThat(TestServers.query(second, "select to_regclass('t') is not null")).isEqualTo("t");
		}
		assertThat(created.get()).as("none, if an earlier build has created them").isLessThan(2);
	}

	private static void createTable(DataSource dataSource) {
		try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
			statement.execute("create table t (id int)");
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void aDatabaseIsFoundByItsName() throws Exception {
		Database created = this.postgres.database("found_by_name");
		TestServers.execute(created, "create table if not exists t (id int)");
		Database found = this.postgres.database("found_by_name");
		assertThat(TestServers.query(found, "select to_regclass('t') is not null")).isEqualTo("t");
	}

	@Test
	void theServerSpeaksUtf8AndTakesManyConnections() throws Exception {
		Database database = this.postgres.createDatabase("settings");
		assertThat(TestServers.query(database, "show server_encoding")).isEqualTo("UTF8");
		assertThat(TestServers.query(database, "show max_connections")).isEqualTo("600");
	}

	@Test
	void anInvalidNameIsRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.postgres.database("x\"; drop"))
			.withMessageContaining("lower-case letters");
	}

}

package io.rowqueue.engine.support;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import ch.qos.logback.classic.Level;
import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.testing.Log;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionSystemException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

class OutageTests {

	@AutoClose
	private final Log log = new Log(Outage.class);

	private final Outage outage = new Outage();

	@Test
	void anOutageIsLoggedOnceWhenItBeginsAndOnceWhenItEnds() {
		for (int i = 0; i < 5; i++) {
			this.outage.report("claimer", away());
			this.outage.report("heartbeat", away());
		}
		this.outage.over("heartbeat");
		this.outage.over("claimer");
		this.outage.over("heartbeat");
		assertThat(this.log.lines(Level.TRACE)).hasSize(2);
		assertThat(this.log.lines(Level.WARN)).singleElement()
			.asString()
			.startsWith("The database is not available; the queue retries until it succeeds. ")
			.endsWith("gone");
		assertThat(this.log.lines(Level.INFO)).last().asString().startsWith("The database is available again after ");
	}

	/** Whoever reads that the database is away looks at the database. */
	@Test
	void aPoolThatTheApplicationHasClosedIsNoDatabaseThatIsAway() {
		HikariDataSource pool = new HikariDataSource();
		pool.close();
		this.outage.report("claimer", catchThrowable(() -> new JdbcTemplate(pool).execute("select 1")));
		assertThat(this.log.lines(Level.WARN)).singleElement()
			.asString()
			.startsWith("The connections of the queue were closed, as when the application stops; ")
			.doesNotContain("not available");
	}

	@Test
	void anOutageDoesNotEndWithAThreadThatHadNothingToDo() {
		this.outage.report("heartbeat", away());
		this.outage.over("idle");
		this.outage.report("claimer", away());
		this.outage.over("claimer");
		assertThat(this.log.lines(Level.TRACE)).hasSize(1);
		this.outage.over("heartbeat");
		assertThat(this.log.lines(Level.TRACE)).hasSize(2);
	}

	@Test
	void theOthersRetryAsSoonAsOneCanUseTheDatabaseAgain() {
		List<String> retries = new ArrayList<>();
		for (String who : List.of("claimer", "heartbeat", "measure")) {
			this.outage.report(who, away(), () -> retries.add(who));
		}
		this.outage.over("idle");
		assertThat(retries).as("a thread that has not met the outage knows nothing").isEmpty();
		this.outage.over("heartbeat");
		assertThat(retries).containsExactlyInAnyOrder("claimer", "measure");
		this.outage.over("claimer");
		assertThat(retries.subList(2, retries.size())).containsExactly("measure");
		this.outage.over("measure");
		assertThat(retries).hasSize(3);
		assertThat(this.log.lines(Level.INFO)).last().asString().startsWith("The database is available again after ");
	}

	@Test
	void aLockThatOneHasAcquiredMakesNobodyRetry() {
		List<String> retries = new ArrayList<>();
		this.outage.report("claimer", new SQLException("locked", "55P03"), () -> retries.add("claimer"));
		this.outage.report("heartbeat", new SQLException("locked", "55P03"), () -> retries.add("heartbeat"));
		this.outage.over("heartbeat");
		assertThat(retries).isEmpty();
	}

	@Test
	void theNextOutageIsLoggedAgain() {
		for (int i = 0; i < 2; i++) {
			this.outage.report("claimer", away());
			this.outage.over("claimer");
		}
		assertThat(this.log.lines(Level.WARN)).hasSize(2);
		assertThat(this.log.lines(Level.INFO)).hasSize(4);
	}

	@Test
	void nothingIsLoggedWithoutAnOutage() {
		this.outage.over("claimer");
		assertThat(this.log.lines(Level.TRACE)).isEmpty();
	}

	@Test
	void anotherFailureIsLoggedOnceWhenItBeginsAndOnceWhenItEnds() {
		for (int i = 0; i < 5; i++) {
			this.outage.report("claimer", new IllegalStateException("strange"));
		}
		this.outage.report("claimer", new IllegalStateException("stranger"));
		this.outage.over("heartbeat");
		this.outage.over("claimer");
		List<String> lines = this.log.lines(Level.TRACE);
		assertThat(lines).hasSize(3);
		assertThat(lines.get(0)).startsWith("claimer failed and retries until it succeeds")
			.contains("strange")
			.contains("OutageTests");
		assertThat(lines.get(1)).contains("stranger");
		assertThat(lines.get(2)).isEqualTo("claimer works again");
	}

	/** Such as a deadlock, which names processes. */
	@Test
	void aFailureWhoseNumbersDifferWithEachTryIsLoggedOnce() {
		for (int process = 1000; process < 1005; process++) {
			this.outage.report("claimer", new SQLException("Process " + process + " waits for 0/" + process, "40P01"));
		}
		assertThat(this.log.lines(Level.ERROR)).hasSize(1);
		assertThat(this.outage.failing()).as("the latest")
			.containsValue("java.sql.SQLException: Process 1004 waits for 0/1004");
	}

	@ParameterizedTest
	@CsvSource({ "25006, The database is read-only", "53100, The database has run out of disk space or memory",
			"53300, The database has no free connection", "57P03, The database is not available" })
	void theKindOfAnOutageIsLogged(String state, String line) {
		this.outage.report("claimer", new SQLException("x", state));
		this.outage.report("heartbeat", away());
		this.outage.over("claimer");
		this.outage.over("heartbeat");
		assertThat(this.log.lines(Level.WARN)).singleElement().asString().startsWith(line);
		assertThat(this.log.lines(Level.INFO)).hasSize(2)
			.last()
			.asString()
			.startsWith("The database is available again after ");
	}

	@ParameterizedTest
	@CsvSource({ "55P03, The queue waits for a lock that another session holds, The queue has acquired the lock after ",
			"57014, The database does not respond in time, The database responds in time again after " })
	void theKindOfADelayIsLogged(String state, String beginning, String end) {
		this.outage.report("claimer", new SQLException("x", state));
		this.outage.report("heartbeat", new SQLException("x", state));
		this.outage.over("claimer");
		this.outage.over("heartbeat");
		assertThat(this.log.lines(Level.WARN)).singleElement().asString().startsWith(beginning);
		assertThat(this.log.lines(Level.INFO)).hasSize(2).last().asString().startsWith(end);
	}

	@Test
	void aReasonThatIsSeenLaterIsLogged() {
		this.outage.report("claimer", new SQLException("terminated by administrator", "57P01"));
		for (int i = 0; i < 5; i++) {
			this.outage.report("claimer", new SQLException("read-only", "25006"));
			this.outage.report("heartbeat", new SQLException("terminated by administrator", "57P01"));
		}
		assertThat(this.log.lines(Level.WARN)).hasSize(2).last().asString().endsWith("read-only");
	}

	@Test
	void connectionsToAReadOnlyServerAreReplaced() {
		List<String> asked = new ArrayList<>();
		Outage renewing = new Outage("", () -> asked.add("renew"));
		renewing.report("claimer", away());
		assertThat(asked).isEmpty();
		renewing.report("claimer", new SQLException("read-only", "25006"));
		assertThat(asked).containsExactly("renew");
	}

	/** A maintenance task, for example, that another process runs by now. */
	@Test
	void anOutageDoesNotLastForAThreadThatHasNothingToDoAnyMore() {
		AtomicLong now = new AtomicLong();
		Outage timed = new Outage("", () -> {
		}, now::get);
		timed.report("retain", away());
		timed.report("claimer", away());
		now.addAndGet(Duration.ofSeconds(59).toNanos());
		timed.over("claimer");
		assertThat(this.log.lines(Level.INFO)).hasSize(1);
		now.addAndGet(Duration.ofSeconds(2).toNanos());
		timed.over("claimer");
		assertThat(this.log.lines(Level.INFO)).last()
			.asString()
			.isEqualTo("The database is available again after 1 min 1 s");
	}

	@ParameterizedTest
	@ValueSource(strings = { "08000", "08006", "57P01", "57P03", "25006" })
	void anUnavailableDatabaseIsRecognized(String state) {
		assertThat(Outage.isAway(new DataAccessResourceFailureException("x", new SQLException("gone", state))))
			.isTrue();
	}

	@Test
	void aPoolWithoutAConnectionIsRecognized() {
		assertThat(Outage.isAway(new CannotGetJdbcConnectionException("x", new SQLException("timeout")))).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "42P01", "57014", "40001" })
	void aDatabaseThatRejectsConnectionsIsRecognized(String state) {
		assertThat(Outage.isAway(new SQLException("no", state))).isFalse();
		assertThat(Outage.isAway(new SQLException("no state"))).isFalse();
	}

	/**
	 * Spring throws the same exception for these as for a server that does not answer.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "54000", "58030" })
	void aLostConnectionIsRecognized(String state) {
		SQLException error = new SQLException("no", state);
		assertThat(Outage.isAway(new DataAccessResourceFailureException("x", error))).isFalse();
		assertThat(Outage.isAway(new DataAccessResourceFailureException("x", new SQLException("x")))).isTrue();
		assertThat(Outage.isAway(new CannotGetJdbcConnectionException("x", error))).isTrue();
	}

	@Test
	void aConnectionThatThePoolHasClosedIsRecognized() {
		SQLException closed = new SQLException("Connection is closed");
		assertThat(Outage.isAway(new TransactionSystemException("JDBC rollback failed", closed))).isTrue();
		assertThat(Outage.isAway(new UncategorizedSQLException("x", null, closed))).isTrue();
		assertThat(Outage.isAway(new TransactionSystemException("Could not commit JPA transaction",
				new IllegalStateException("a bean is invalid"))))
			.as("a failure of the application")
			.isFalse();
		assertThat(Outage.isAway(new TransactionSystemException("JDBC commit failed",
				new SQLException("a deferred constraint", "23503"))))
			.as("the server has answered")
			.isFalse();
	}

	@Test
	void aFullDatabaseIsDistinguishedFromARejectedConnection() {
		SQLException error = new SQLException("no", "53200");
		assertThat(Outage.isFull(new DataAccessResourceFailureException("x", error))).isTrue();
		assertThat(Outage.isFull(new CannotGetJdbcConnectionException("x", error))).isFalse();
	}

	@Test
	void aCircleOfCausesIsHandled() {
		IllegalStateException circle = new IllegalStateException("circle");
		circle.initCause(new IllegalStateException("round", circle));
		this.outage.report("claimer", circle);
		assertThat(this.log.lines(Level.ERROR)).hasSize(1);
	}

	@Test
	void theProblemIsReportedUntilItHasEnded() {
		AtomicLong now = new AtomicLong();
		Outage timed = new Outage("", () -> {
		}, now::get);
		assertThat(timed.database()).isEmpty();
		timed.report("claimer", away());
		now.addAndGet(Duration.ofSeconds(7).toNanos());
		assertThat(timed.database()).contains("The database is not available (for 7 s)");
		timed.report("heartbeat", new SQLException("read-only", "25006"));
		assertThat(timed.database()).as("that says more").contains("The database is read-only (for 7 s)");
		timed.over("claimer");
		timed.over("heartbeat");
		assertThat(timed.database()).isEmpty();
	}

	@Test
	void aLockIsReportedWhenItHasLasted() {
		AtomicLong now = new AtomicLong();
		Outage timed = new Outage("", () -> {
		}, now::get);
		timed.report("claimer", new SQLException("locked", "55P03"));
		assertThat(timed.database()).isEmpty();
		now.addAndGet(Duration.ofSeconds(11).toNanos());
		assertThat(timed.database()).contains("The queue waits for a lock that another session holds (for 11 s)");
	}

	@Test
	void anotherFailureIsReportedUntilItHasEnded() {
		AtomicLong now = new AtomicLong();
		Outage timed = new Outage("", () -> {
		}, now::get);
		timed.report("claimer", new SQLException("permission denied", "42501"));
		timed.report("retain", new IllegalStateException("strange"));
		assertThat(timed.failing()).containsOnlyKeys("claimer", "retain")
			.hasEntrySatisfying("claimer", (error) -> assertThat(error).contains("permission denied"));
		assertThat(timed.database()).isEmpty();
		timed.over("claimer");
		assertThat(timed.failing()).containsOnlyKeys("retain");
		now.addAndGet(Duration.ofSeconds(61).toNanos());
		assertThat(timed.failing()).as("another process may do it by now").isEmpty();
	}

	private static Exception away() {
		return new DataAccessResourceFailureException("broken", new SQLException("gone", "08006"));
	}

}

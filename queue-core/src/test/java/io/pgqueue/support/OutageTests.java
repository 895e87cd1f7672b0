package io.pgqueue.support;

import java.sql.SQLException;
import java.util.List;

import ch.qos.logback.classic.Level;
import io.pgqueue.testing.Log;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;

import static org.assertj.core.api.Assertions.assertThat;

class OutageTests {

	@AutoClose
	private final Log log = new Log(Outage.class);

	private final Outage outage = new Outage();

	@Test
	void saysOnceThatTheDatabaseIsAwayAndOnceThatItIsBack() {
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
			.startsWith("The database is away; the queue waits for it and then goes on. ")
			.endsWith("gone");
		assertThat(this.log.lines(Level.INFO)).last().asString().startsWith("The database is back after ");
	}

	@Test
	void isNotOverBecauseSomebodyHadNothingToAsk() {
		this.outage.report("heartbeat", away());
		this.outage.over("idle");
		this.outage.report("claimer", away());
		this.outage.over("claimer");
		assertThat(this.log.lines(Level.TRACE)).hasSize(1);
		this.outage.over("heartbeat");
		assertThat(this.log.lines(Level.TRACE)).hasSize(2);
	}

	@Test
	void saysItAgainTheNextTime() {
		for (int i = 0; i < 2; i++) {
			this.outage.report("claimer", away());
			this.outage.over("claimer");
		}
		assertThat(this.log.lines(Level.WARN)).hasSize(2);
		assertThat(this.log.lines(Level.INFO)).hasSize(4);
	}

	@Test
	void saysNothingWhileAllIsWell() {
		this.outage.over("claimer");
		assertThat(this.log.lines(Level.TRACE)).isEmpty();
	}

	@Test
	void saysOnceThatSomethingElseFailsAndOnceThatItWorksAgain() {
		for (int i = 0; i < 5; i++) {
			this.outage.report("claimer", new IllegalStateException("strange"));
		}
		this.outage.report("claimer", new IllegalStateException("stranger"));
		this.outage.over("heartbeat");
		this.outage.over("claimer");
		List<String> lines = this.log.lines(Level.TRACE);
		assertThat(lines).hasSize(3);
		assertThat(lines.get(0)).startsWith("claimer failed and tries again until it works")
			.contains("strange")
			.contains("OutageTests");
		assertThat(lines.get(1)).contains("stranger");
		assertThat(lines.get(2)).isEqualTo("claimer works again");
	}

	@ParameterizedTest
	@ValueSource(strings = { "08000", "08006", "57P01", "57P03", "25006" })
	void knowsADatabaseThatIsAway(String state) {
		assertThat(Outage.isAway(new DataAccessResourceFailureException("x", new SQLException("gone", state))))
			.isTrue();
	}

	@Test
	void knowsAPoolThatGivesNoConnection() {
		assertThat(Outage.isAway(new CannotGetJdbcConnectionException("x", new SQLException("timeout")))).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "42P01", "57014", "40001" })
	void knowsADatabaseThatRefuses(String state) {
		assertThat(Outage.isAway(new SQLException("no", state))).isFalse();
		assertThat(Outage.isAway(new SQLException("no state"))).isFalse();
	}

	@Test
	void survivesACircleOfCauses() {
		IllegalStateException circle = new IllegalStateException("circle");
		circle.initCause(new IllegalStateException("round", circle));
		this.outage.report("claimer", circle);
		assertThat(this.log.lines(Level.ERROR)).hasSize(1);
	}

	private static Exception away() {
		return new DataAccessResourceFailureException("broken", new SQLException("gone", "08006"));
	}

}

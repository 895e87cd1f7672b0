package io.rowqueue.autoconfigure.worker;

import java.io.IOException;

import io.rowqueue.Job;
import io.rowqueue.JobContext;
import io.rowqueue.JobHandler;
import io.rowqueue.JobQueue;
import io.rowqueue.JobState;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.FirstJobTests;
import io.rowqueue.autoconfigure.SlowNetwork;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.autoconfigure.worker.TransactionalHandlersTests.Account;
import io.rowqueue.autoconfigure.worker.TransactionalHandlersTests.Entities;
import jakarta.persistence.EntityManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Transactional handlers that lose their connection at the commit, with the pool and the
 * transaction managers that Spring Boot configures.
 */
@ExtendWith(OutputCaptureExtension.class)
class LostCommitsTests {

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	private SlowNetwork network;

	@BeforeEach
	void begin() throws IOException {
		this.database.execute("create table account (id bigint primary key, name text not null)");
		this.network = new SlowNetwork(this.database.url());
	}

	@AfterEach
	void end() {
		this.network.close();
	}

	/** What writes the account. */
	enum Manager {

		JDBC, JPA

	}

	@ParameterizedTest
	@EnumSource
	void aCommitThatDoesNotArriveCostsNoAttempt(Manager manager, CapturedOutput output) {
		run(manager, false, "that costs no attempt, and it is next in", output);
	}

	@ParameterizedTest
	@EnumSource
	void aCommitWhoseAnswerIsLostCounts(Manager manager, CapturedOutput output) {
		run(manager, true, "is not run again: its transaction was committed although the response was lost", output);
		assertThat(output).doesNotContain("this outcome is rejected");
	}

	private void run(Manager manager, boolean arrives, String line, CapturedOutput output) {
		application(manager).run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			this.network.loseNextCommit("insert into account", arrives);
			long id = queue.enqueue("open-account", null).id();
			Awaitility.await()
				.until(() -> output.toString().contains(line) || output.toString().contains("failed permanently"));
			assertThat(output).doesNotContain("failed in attempt").doesNotContain("failed permanently");
			FirstJobTests.awaitState(queue, id, JobState.SUCCEEDED);
			assertThat(queue.find(id)).map(Job::attempt).hasValue(1);
			assertThat(this.database.count("select count(*) from account")).isOne();
			assertThat(this.database.count("select count(*) from rowqueue.job_failure")).isZero();
		});
	}

	private ApplicationContextRunner application(Manager manager) {
		ApplicationContextRunner application = Applications.on(this.database)
			.withPropertyValues("spring.datasource.url=" + this.network.url() + "&prepareThreshold=0",
					"rowqueue.worker.max-attempts=1");
		return (manager == Manager.JDBC) ? application.withBean(JdbcAccounts.class)
				: application.withConfiguration(AutoConfigurations.of(HibernateJpaAutoConfiguration.class))
					.withUserConfiguration(Entities.class)
					.withPropertyValues("spring.jpa.hibernate.ddl-auto=none")
					.withBean(JpaAccounts.class);
	}

	static class JdbcAccounts {

		private final JdbcTemplate jdbc;

		JdbcAccounts(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@JobHandler(value = "open-account", transactional = true)
		void open(JobContext context) {
			this.jdbc.update("insert into account values (?, 'a')", context.id());
		}

	}

	static class JpaAccounts {

		private final EntityManager entities;

		JpaAccounts(EntityManager entities) {
			this.entities = entities;
		}

		@JobHandler(value = "open-account", transactional = true)
		void open(JobContext context) {
			this.entities.persist(new Account(context.id(), "a"));
		}

	}

}

package io.rowqueue.autoconfigure.connection;

import java.time.Duration;

import javax.sql.DataSource;

import io.rowqueue.JobQueue;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.Notes;
import io.rowqueue.autoconfigure.Notes.Note;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.autoconfigure.worker.QueueLifecycle;
import io.rowqueue.engine.worker.NotificationStatus;
import io.rowqueue.engine.worker.WorkerStatus;
import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.PgBouncer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/** An application whose every connection leads to a PgBouncer in transaction mode. */
@ExtendWith(OutputCaptureExtension.class)
class PoolerTests {

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	private PgBouncer pooler;

	@BeforeEach
	void start() {
		assumeThat(PgBouncer.program()).as("a pgbouncer on the path, or named by -Dpgbouncer").isPresent();
		this.pooler = PgBouncer.start(this.database.address(), 1);
	}

	@AfterEach
	void stop() {
		if (this.pooler != null) {
			this.pooler.close();
		}
	}

	/** The one session is the application's and the worker's. */
	@Test
	void theQueueWorksAndTheApplicationsSessionIsUntouched(CapturedOutput output) {
		application().run((context) -> {
			runJobs(context);
			Awaitility.await().until(() -> notifications(context) == NotificationStatus.NOT_RECEIVING);
			assertThat(output.getOut()).containsOnlyOnce("Notifications do not reach worker ");
			assertThat(output).doesNotContain(" ERROR ");
		});
	}

	@Test
	void theAddressOfTheServerItselfMakesItHear(CapturedOutput output) {
		application()
			.withPropertyValues("rowqueue.notifications.url=" + this.database.url(), "rowqueue.worker.poll-interval=1d")
			.run((context) -> {
				Awaitility.await().until(() -> notifications(context) == NotificationStatus.RECEIVING);
				runJobs(context);
				assertThat(this.database.count("select count(*) from rowqueue.worker where session_locked")).isOne();
				assertThat(output).doesNotContain(" WARN ").doesNotContain(" ERROR ");
			});
	}

	/** As Testcontainers may supply it, which knows the port only after the start. */
	@Test
	void aBeanWithTheAddressOfTheServerTakesPrecedenceOverTheProperty() {
		Database server = this.database.address();
		application().withBean(QueueConnectionDetails.class, () -> new QueueConnectionDetails() {

			@Override
			public String getJdbcUrl() {
				return server.url();
			}

			@Override
			public String getUsername() {
				return server.username();
			}

			@Override
			public String getPassword() {
				return server.password();
			}

		})
			.withPropertyValues("rowqueue.notifications.url=jdbc:postgresql://127.0.0.1:1/nowhere",
					"rowqueue.worker.poll-interval=1d")
			.run((context) -> {
				assertThat(context).hasSingleBean(QueueConnectionDetails.class);
				Awaitility.await().until(() -> notifications(context) == NotificationStatus.RECEIVING);
				runJobs(context);
			});
	}

	@Test
	void readsAreBoundedAndChangeNothing() {
		application().withPropertyValues("rowqueue.worker.enabled=false").run((context) -> {
			JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
			try (ReadPool pool = context.getBean(ReadPools.class).create("reader", 1, Duration.ofSeconds(2))) {
				assertThat(pool.<String>read(() -> setting(pool, "statement_timeout"))).isEqualTo("2s");
				assertThat(pool.<String>read(() -> setting(pool, "transaction_read_only"))).isEqualTo("on");
			}
			assertThat(jdbc.queryForObject("show statement_timeout", String.class)).isEqualTo("0");
			assertThat(jdbc.queryForObject("show transaction_read_only", String.class)).isEqualTo("off");
		});
	}

	private static String setting(ReadPool pool, String name) {
		return pool.database().query("select current_setting(?)", (row, index) -> row.getString(1), name).get(0);
	}

	private static NotificationStatus notifications(ApplicationContext context) {
		return context.getBean(QueueLifecycle.class)
			.status()
			.map(WorkerStatus::notifications)
			.orElse(NotificationStatus.OFF);
	}

	private void runJobs(ApplicationContext context) {
		JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
		for (int i = 1; i <= 50; i++) {
			context.getBean(JobQueue.class).enqueue("note", new Note("through"));
			assertThat(jdbc.queryForObject("show enable_seqscan", String.class)).isEqualTo("on");
			assertThat(jdbc.queryForObject("show statement_timeout", String.class)).isEqualTo("0");
			assertThat(jdbc.queryForObject("show lock_timeout", String.class)).isEqualTo("0");
			assertThat(jdbc.queryForObject("select count(*) from pg_listening_channels()", Long.class)).isZero();
		}
		assertThat(context.getBean(Notes.class).await(50)).hasSize(50);
	}

	private ApplicationContextRunner application() {
		String url = this.pooler.before(this.database.address()).url();
		return Applications.on(this.database)
			.withBean(Notes.class)
			.withPropertyValues(
					"spring.datasource.url=" + url + (url.contains("?") ? "&" : "?") + "prepareThreshold=0");
	}

}

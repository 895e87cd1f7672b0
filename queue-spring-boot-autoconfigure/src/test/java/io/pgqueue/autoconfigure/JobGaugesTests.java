package io.pgqueue.autoconfigure;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.pgqueue.JobQueue;
import io.pgqueue.JobRequest;
import io.pgqueue.schema.QueueSchema;
import io.pgqueue.schema.SchemaName;
import io.pgqueue.store.JobStore;
import io.pgqueue.store.NewJob;
import io.pgqueue.support.Outage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What the gauges show of the queue. */
class JobGaugesTests {

	private final TestDatabase database = new TestDatabase();

	private final CountingDataSource dataSource = new CountingDataSource(this.database);

	private final JobStore store = new JobStore(new JdbcTemplate(this.dataSource), new JdbcTemplate(this.dataSource),
			SchemaName.DEFAULT, true);

	private final MeterRegistry registry = new SimpleMeterRegistry();

	private final ApplicationContextRunner application = Applications.on(this.database);

	@Test
	void showsZeroForEveryStateOfEveryKnownQueue() {
		new JobGauges(this.store, this.registry, Set.of("mail"), new Outage());
		Map<String, Long> shown = new TreeMap<>();
		for (String queue : new String[] { "default", "mail" }) {
			for (String state : new String[] { "scheduled", "queued", "starting", "running", "stuck", "failed" }) {
				shown.put(queue + " " + state, 0L);
			}
		}
		assertThat(shown()).isEqualTo(shown);
		assertThat(this.dataSource.connections).hasValue(0);
	}

	@Test
	void countsByQueueAndState() {
		JobGauges gauges = gauges();
		enqueue(JobRequest.of("a").queue("mail"));
		enqueue(JobRequest.of("a").queue("mail").priority(2));
		enqueue(JobRequest.of("a").queue("mail").delay(Duration.ofHours(1)));
		enqueue(JobRequest.of("failed"));
		enqueue(JobRequest.of("running"));
		enqueue(JobRequest.of("starting"));
		enqueue(JobRequest.of("stuck"));
		this.database.execute("insert into queue.worker (name, queues, types, dead_at)"
				+ " values ('alive', '{*}', '{a}', null), ('dead', '{*}', '{a}', now())");
		this.database.execute("update queue.job set state = 'failed' where type = 'failed'");
		this.database.execute("update queue.job set state = type::queue.job_state,"
				+ " worker_id = (select id from queue.worker where name = 'alive') where type in ('running', 'starting')");
		this.database.execute("update queue.job set state = 'running',"
				+ " worker_id = (select id from queue.worker where name = 'dead') where type = 'stuck'");
		gauges.refresh();
		assertThat(shown()).hasSize(12)
			.containsEntry("mail queued", 2L)
			.containsEntry("mail scheduled", 1L)
			.containsEntry("mail failed", 0L)
			.containsEntry("default failed", 1L)
			.containsEntry("default running", 1L)
			.containsEntry("default starting", 1L)
			.containsEntry("default stuck", 1L)
			.containsEntry("default queued", 0L);
	}

	@Test
	void aQueueThatWasSeenStaysAtZero() {
		JobGauges gauges = gauges();
		enqueue(JobRequest.of("a").queue("once"));
		gauges.refresh();
		assertThat(shown()).containsEntry("once queued", 1L);
		this.database.execute("delete from queue.job");
		gauges.refresh();
		assertThat(shown()).containsEntry("once queued", 0L);
	}

	@Test
	void readingThemAsksNotTheDatabase() {
		JobGauges gauges = gauges();
		gauges.refresh();
		int connections = this.dataSource.connections.get();
		assertThat(connections).isPositive();
		assertThat(shown()).isNotEmpty();
		assertThat(shown()).isNotEmpty();
		assertThat(this.dataSource.connections).hasValue(connections);
	}

	@Test
	void keepUpWithTheQueueUntilTheyAreStopped() {
		this.application.withBean(SimpleMeterRegistry.class, SimpleMeterRegistry::new)
			.withPropertyValues("queue.worker.enabled=false", "queue.worker.queues.mail.concurrency=1")
			.run((context) -> {
				MeterRegistry meters = context.getBean(MeterRegistry.class);
				assertThat(queued(meters, "mail")).isZero();
				context.getBean(JobQueue.class).enqueue(JobRequest.of("a").queue("mail"));
				Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> queued(meters, "mail") == 1);
				context.getSourceApplicationContext().stop();
				assertThat(context.getBean(JobGauges.class).isRunning()).isFalse();
				context.getBean(JobQueue.class).enqueue(JobRequest.of("a").queue("mail"));
				context.getSourceApplicationContext().start();
				Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> queued(meters, "mail") == 2);
			});
	}

	@Test
	void areInTheRegistryThatBootMakes() {
		this.application
			.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
					CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
			.run((context) -> assertThat(queued(context.getBean(MeterRegistry.class), "default")).isZero());
	}

	@Test
	void areInTheCompositeOfSeveralRegistries() {
		this.application
			.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
					CompositeMeterRegistryAutoConfiguration.class))
			.withBean("one", SimpleMeterRegistry.class, SimpleMeterRegistry::new)
			.withBean("two", SimpleMeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> {
				assertThat(context.getBean(MeterRegistry.class)).isInstanceOf(CompositeMeterRegistry.class);
				assertThat(queued(context.getBean("one", MeterRegistry.class), "default")).isZero();
				assertThat(queued(context.getBean("two", MeterRegistry.class), "default")).isZero();
			});
	}

	@Test
	void areLeftOutWhereNoRegistryCanBeChosen() {
		this.application.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(JobGauges.class));
		this.application.withBean("one", SimpleMeterRegistry.class, SimpleMeterRegistry::new)
			.withBean("two", SimpleMeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(JobGauges.class));
	}

	@Test
	void areLeftOutWithoutMicrometer() {
		this.application.withClassLoader(new FilteredClassLoader("io.micrometer.core"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("queueJobGauges"));
	}

	private JobGauges gauges() {
		new QueueSchema(this.database.dataSource()).initialize();
		return new JobGauges(this.store, this.registry, Set.of(), new Outage());
	}

	private void enqueue(JobRequest request) {
		this.store.enqueue(List.of(new NewJob(request, null)));
	}

	private Map<String, Long> shown() {
		Map<String, Long> shown = new TreeMap<>();
		for (Gauge gauge : this.registry.get("queue.jobs").gauges()) {
			shown.put(gauge.getId().getTag("queue") + " " + gauge.getId().getTag("state"), (long) gauge.value());
		}
		return shown;
	}

	private static double queued(MeterRegistry registry, String queue) {
		return registry.get("queue.jobs").tags("queue", queue, "state", "queued").gauge().value();
	}

	private static final class CountingDataSource extends DelegatingDataSource {

		private final AtomicInteger connections = new AtomicInteger();

		CountingDataSource(TestDatabase database) {
			super(database.dataSource());
		}

		@Override
		public Connection getConnection() throws SQLException {
			this.connections.incrementAndGet();
			return super.getConnection();
		}

	}

}

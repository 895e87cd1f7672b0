package io.rowqueue.autoconfigure.shard;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.JobQueue;
import io.rowqueue.JobType;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.testing.ListBroker;
import io.rowqueue.transport.JobTransport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

class OutboxHostTests {

	private final TestDatabase database = new TestDatabase();

	private final ListBroker broker = new ListBroker();

	private final AtomicInteger handedOver = new AtomicInteger();

	@Test
	void anOutboxHandsOverWhatOtherShardsRunAndPublishesWhatABrokerCarries() {
		Applications.on(this.database)
			.withPropertyValues("rowqueue.worker.enabled=false")
			.withBean(JobTransport.class, () -> this.broker)
			.run((context) -> {
				WakeUps wakeUps = context.getBean(WakeUps.class);
				OutboxHost host = new OutboxHost(context, this.handedOver::incrementAndGet);
				assertThat(this.handedOver).as("at the start").hasValue(1);
				long id = context.getBean(JobQueue.class).enqueue("note", 1).id();
				Awaitility.await().until(() -> this.broker.published().contains(id));
				assertThat(this.handedOver).as("a carried job is not handed over").hasValue(1);
				wakeUps.jobsArrived(Arrivals.of("default"));
				assertThat(this.handedOver).hasValue(2);
				wakeUps.jobsArrived(new Arrivals(Set.of(), true, false));
				assertThat(this.handedOver).as("jobs with limit keys are handed over, too").hasValue(3);
				host.close();
				wakeUps.jobsArrived(Arrivals.of("default"));
				assertThat(this.handedOver).hasValue(3);
			});
	}

	@Test
	void anOutboxKnowsTheRetentionsThatTheApplicationDeclaresForTypes() {
		Applications.on(this.database)
			.withBean(JobType.class, () -> JobType.of("note", Integer.class).retention(Duration.ofDays(1)))
			.run((context) -> {
				JdbcTemplate jdbc = new JdbcTemplate(this.database.dataSource());
				jdbc.update("delete from rowqueue.type_retention"); // the worker has
																	// stored them
				OutboxHost host = new OutboxHost(context, this.handedOver::incrementAndGet);
				assertThat(jdbc.queryForList("select type from rowqueue.type_retention", String.class))
					.containsExactly("note");
				host.close();
			});
	}

	/** They are in its history, with all that they brought along. */
	@Test
	void jobsThatWereCancelledInAnOutboxAreDeletedAfterTheirRetention() {
		Applications.on(this.database).withPropertyValues("rowqueue.worker.enabled=false").run((context) -> {
			JdbcTemplate jdbc = new JdbcTemplate(this.database.dataSource());
			jdbc.update(
					"insert into rowqueue.job_finished (id, run_at, created_at, finished_at, state, priority, attempt,"
							+ " queue, type) select i, now(), now(), now() - i * interval '1 day', 'cancelled', 0, 0, 'default', 'note'"
							+ " from unnest(array[6, 8]) i");
			jdbc.update("insert into rowqueue.job_tag (job_id, name, value) select id, '', 'customer:' || id"
					+ " from rowqueue.job_finished");
			OutboxHost host = new OutboxHost(context, this.handedOver::incrementAndGet);
			Awaitility.await()
				.untilAsserted(() -> assertThat(jdbc.queryForList("select value from rowqueue.job_tag", String.class))
					.containsExactly("customer:6"));
			assertThat(jdbc.queryForList("select id from rowqueue.job_finished", Long.class)).containsExactly(6L);
			host.close();
		});
	}

}

package io.rowqueue.lab.namastack;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import io.namastack.outbox.Outbox;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import io.rowqueue.lab.contestant.Contestant;
import io.rowqueue.lab.contestant.Db;
import io.rowqueue.lab.contestant.Ledger;
import io.rowqueue.lab.contestant.Payload;
import io.rowqueue.lab.contestant.StartedLater;
import io.rowqueue.lab.contestant.Versions;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.LifecycleProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * namastack-outbox over JDBC. Its page about tuning has a candidate for low latency, with
 * virtual threads, and one for platform threads, which is used by a Java that has no
 * virtual threads. Each job has a record key of its own: records of a key run one after
 * the other.
 */
final class NamastackOutbox implements Contestant {

	private static final boolean VIRTUAL = Runtime.version().feature() >= 21;

	private static final int LIMIT = 30;

	private static final int CORE_THREADS = 16;

	private static final int MOST_THREADS = 32;

	private static final int BATCH = VIRTUAL ? 800 : 1000;

	private static final String POLL = "25ms";

	/** It never changes. */
	private static final int PARTITIONS = 256;

	private static final int SENTINEL = 7_777_777;

	private final Db db;

	private final Connection watch;

	private final ConfigurableApplicationContext application;

	private final Outbox outbox;

	private final TransactionTemplate transaction;

	private NamastackOutbox(Db db, ConfigurableApplicationContext application) throws SQLException {
		this.db = db;
		this.watch = db.connect();
		this.application = application;
		this.outbox = application.getBean(Outbox.class);
		this.transaction = new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
	}

	static NamastackOutbox create(Db db, Ledger ledger) throws SQLException {
		Map<String, Object> properties = new HashMap<>(Map.of("spring.main.banner-mode", "off", "logging.level.root",
				"warn", "spring.datasource.url", db.url(), "spring.datasource.hikari.maximum-pool-size",
				MOST_THREADS + 10, "spring.threads.virtual.enabled", VIRTUAL));
		Map.of("multicaster.enabled", false, "polling.trigger", "fixed", "polling.batch-size", BATCH,
				"polling.fixed.interval", POLL, "processing.executor-concurrency-limit", LIMIT,
				"processing.executor-core-pool-size", CORE_THREADS, "processing.executor-max-pool-size", MOST_THREADS,
				"instance.heartbeat-interval", "1s", "instance.stale-instance-timeout", "10s",
				"instance.rebalance-interval", "1s")
			.forEach((key, value) -> properties.put("namastack.outbox." + key, value));
		return new NamastackOutbox(db,
				new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
					.initializers((context) -> context.getBeanFactory().registerSingleton("ledger", ledger))
					.properties(properties)
					.run());
	}

	@Override
	public String version() {
		return Versions.of(Outbox.class);
	}

	@Override
	public String settings() {
		return (VIRTUAL ? "virtual threads, concurrency limit " + LIMIT
				: "platform threads, " + CORE_THREADS + " to " + MOST_THREADS) + ", batch-size " + BATCH + ", poll "
				+ POLL + ", completed records kept, one key a job";
	}

	@Override
	public void enqueue(int job) {
		enqueueAll(job, job + 1);
	}

	@Override
	public void enqueueAll(int from, int to) {
		this.transaction.executeWithoutResult((status) -> {
			for (int job = from; job < to; job++) {
				this.outbox.schedule(Payload.of(job), "m" + job);
			}
		});
	}

	@Override
	public void fill(int jobs) throws SQLException {
		enqueue(SENTINEL);
		this.db.multiply(table(), jobs,
				Map.of("id", "g.uid", "record_key", "'m' || g.i", "partition_no", "g.i % " + PARTITIONS, "payload",
						"replace(t.payload, '" + SENTINEL + "', g.i::text)", "created_at",
						"t.created_at + g.i * interval '1 us'"));
	}

	@Override
	public String table() {
		return "outbox_record";
	}

	@Override
	public Optional<String> number() {
		return Optional.of("record_key");
	}

	@Override
	public String waiting() {
		return table() + " where status = 'NEW'";
	}

	@Override
	public void startWorker() {
		this.application.start();
	}

	@Override
	public void stopWorker() {
		this.application.stop();
	}

	@Override
	public boolean isDrained() throws SQLException {
		return Db.isTrue(this.watch, "select not exists (select from " + waiting() + ")");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean(AbstractApplicationContext.LIFECYCLE_PROCESSOR_BEAN_NAME)
		static LifecycleProcessor lifecycleProcessor() {
			return new StartedLater();
		}

		@Bean
		OutboxTypedHandler<Payload> mailHandler(Ledger ledger) {
			return new MailHandler(ledger);
		}

	}

	/** Runs a job; the library finds out from its type what it handles. */
	static final class MailHandler implements OutboxTypedHandler<Payload> {

		private final Ledger ledger;

		MailHandler(Ledger ledger) {
			this.ledger = ledger;
		}

		@Override
		public void handle(Payload payload, OutboxRecordMetadata metadata) {
			this.ledger.begin(payload.n());
		}

	}

}

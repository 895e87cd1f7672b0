package io.rowqueue.engine.worker;

import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.HandlerOptions;
import io.rowqueue.engine.database.JobTransactions;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.slot.PoolFactory;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Stores;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A process whose worker writes down each job that it runs, and that halts in between.
 */
final class CrashingWorker {

	/** The process ends after at most this number of jobs. */
	static final int MAX_JOBS = 40;

	private enum Halt {

		IN_THE_HANDLER, BEFORE_THE_COMMIT, AFTER_THE_COMMIT

	}

	private CrashingWorker() {
	}

	public static void main(String[] arguments) {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(arguments[0]);
		dataSource.setUser(arguments[1]);
		dataSource.setPassword(arguments[2]);
		Random random = new Random(Long.parseLong(arguments[3]));
		int last = 1 + random.nextInt(MAX_JOBS);
		AtomicInteger jobs = new AtomicInteger();
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		Stores store = new Stores(jdbc);
		HandlerRegistry handlers = HandlerRegistry.builder(Engine.CODEC)
			.add((registry) -> registry.add("test", String.class, HandlerOptions.NONE.transactional(true),
					(payload, context) -> {
						int number = jobs.incrementAndGet();
						if (number > last) {
							new CountDownLatch(1).await(); // while the last one halts
						}
						Halt halt = (number == last) ? Halt.values()[random.nextInt(3)] : null;
						haltIf(halt == Halt.IN_THE_HANDLER);
						jdbc.update("insert into effect (job_id) values (?)", context.id());
						TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

							@Override
							public void beforeCommit(boolean readOnly) {
								// the job has ended already
								haltIf(halt == Halt.BEFORE_THE_COMMIT);
							}

							@Override
							public void afterCommit() {
								haltIf(halt == Halt.AFTER_THE_COMMIT);
							}

						});
					}), "test")
			.build();
		new WorkerHost(
				store.workerParts(dataSource, handlers,
						new JobTransactions(new DataSourceTransactionManager(dataSource), dataSource),
						new WorkerSettings(4, Map.of(), 20, WorkerSettings.DEFAULT_PREFETCH_WAIT, 1000,
								Duration.ofMillis(200), WorkerSettings.DEFAULT_IDLE_INTERVAL, Duration.ofSeconds(30),
								Duration.ofSeconds(10), null, WorkerSettings.DEFAULT_MAX_PAYLOAD_SIZE)),
				new Outage(), PoolFactory.OWN, "")
			.start();
	}

	private static void haltIf(boolean now) {
		if (now) {
			Runtime.getRuntime().halt(1);
		}
	}

}

package io.rowqueue.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.HandlerOptions;
import io.rowqueue.JobHandlers;
import io.rowqueue.RetryPolicy;
import io.rowqueue.engine.attempt.WorkerHooks;
import io.rowqueue.engine.codec.JacksonPayloadCodec;
import io.rowqueue.engine.database.JobTransactions;
import io.rowqueue.engine.database.JoinedTransaction;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.engine.limit.AdmissionStore;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.maintenance.Maintenance;
import io.rowqueue.engine.maintenance.MaintenanceStore;
import io.rowqueue.engine.maintenance.PromoteTask;
import io.rowqueue.engine.recovery.LeaseCheckStore;
import io.rowqueue.engine.recovery.LeaseCheckTask;
import io.rowqueue.engine.recovery.RecoverTask;
import io.rowqueue.engine.recovery.RecoveryRules;
import io.rowqueue.engine.recovery.RecoveryStore;
import io.rowqueue.engine.slot.PoolFactory;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.wakeup.JobEndings;
import io.rowqueue.engine.wakeup.WakeUpStore;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.engine.worker.ListenerSettings;
import io.rowqueue.engine.worker.WorkerHost;
import io.rowqueue.engine.worker.WorkerPart;
import io.rowqueue.engine.worker.WorkerParts;
import io.rowqueue.engine.worker.WorkerSettings;
import io.rowqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A worker process of a verification. */
@Command(name = "verify-worker", hidden = true, mixinStandardHelpOptions = true,
		description = "Runs the jobs of a verification until its standard input ends.")
final class VerifyWorkerCommand implements Callable<Integer> {

	private static final int SLOTS = 4;

	private static final int MAX_ATTEMPTS = 10;

	@Mixin
	private Database database = new Database();

	@Option(names = "--name", required = true, description = "What runs are recorded with.")
	private String name = "";

	@Override
	public Integer call() throws IOException, InterruptedException {
		SchemaName schema = new SchemaName(VerifyCommand.SCHEMA);
		try (HikariDataSource pool = this.database.pool(2 * SLOTS)) {
			JdbcTemplate jdbc = new JdbcTemplate(pool);
			QueueDatabase queue = new QueueDatabase(jdbc, schema);
			WakeUps wakeUps = new WakeUps(new WakeUpStore(queue, StoreListener.NONE), new AdmissionStore(queue));
			Outage outage = new Outage();
			WorkerHost host = new WorkerHost(new WorkerParts(QueueDatabases.of(queue), new JoinedTransaction(pool),
					KeptJobs.ALL, pool, ListenerSettings.DEFAULT, wakeUps, new JobEndings(), handlers(jdbc),
					RetryPolicy.DEFAULT, new JobTransactions(new DataSourceTransactionManager(pool), pool),
					Executors.defaultThreadFactory(), settings(), WorkerHooks.NONE, Set.of(), DirectStart.NONE,
					WorkerPart.Factory.NONE), outage, PoolFactory.OWN, "");
			MaintenanceStore maintaining = new MaintenanceStore(queue);
			Maintenance maintenance = new Maintenance(maintaining, outage,
					List.of(new PromoteTask(maintaining, wakeUps),
							new RecoverTask(new RecoveryStore(queue, StoreListener.NONE), wakeUps,
									RecoveryRules.attempts(MAX_ATTEMPTS)),
							new LeaseCheckTask(new LeaseCheckStore(queue))),
					wakeUps, WorkerSettings.DEFAULT_IDLE_INTERVAL);
			host.start();
			maintenance.start();
			try {
				while (System.in.read() >= 0) {
					// until the process that has started this one is done, or dies
				}
			}
			finally {
				host.stop();
				maintenance.stop();
			}
		}
		return QueueCommand.OK;
	}

	private HandlerRegistry handlers(JdbcTemplate jdbc) {
		JobHandlers.Handler<Integer> handler = (number, context) -> {
			jdbc.update(VerifiedJobs.RECORD_RUN, number, this.name);
			Thread.sleep(VerifiedJobs.RUN_TIME.toMillis());
		};
		return HandlerRegistry.builder(JacksonPayloadCodec.ofDefaults()).add((registry) -> {
			registry.add(VerifiedJobs.PLAIN, Integer.class, handler);
			registry.add(VerifiedJobs.TRANSACTIONAL, Integer.class, HandlerOptions.NONE.transactional(true), handler);
		}, "verify").build();
	}

	private static WorkerSettings settings() {
		return new WorkerSettings(SLOTS, Map.of(), SLOTS, WorkerSettings.DEFAULT_PREFETCH_WAIT, MAX_ATTEMPTS,
				Duration.ofSeconds(1), WorkerSettings.DEFAULT_IDLE_INTERVAL, Duration.ofSeconds(30),
				Duration.ofSeconds(20), null, WorkerSettings.DEFAULT_MAX_PAYLOAD_SIZE);
	}

}

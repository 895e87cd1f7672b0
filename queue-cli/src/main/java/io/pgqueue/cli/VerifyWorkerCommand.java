package io.pgqueue.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

import com.zaxxer.hikari.HikariDataSource;
import io.pgqueue.HandlerOptions;
import io.pgqueue.JobHandlers;
import io.pgqueue.RetryPolicy;
import io.pgqueue.engine.codec.JacksonPayloadCodec;
import io.pgqueue.engine.database.JobTransactions;
import io.pgqueue.engine.database.JoinedTransaction;
import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.engine.handler.HandlerRegistry;
import io.pgqueue.engine.lease.KeptJobs;
import io.pgqueue.engine.limit.AdmissionStore;
import io.pgqueue.engine.listen.StoreListener;
import io.pgqueue.engine.maintenance.Maintenance;
import io.pgqueue.engine.maintenance.MaintenanceStore;
import io.pgqueue.engine.maintenance.PromoteTask;
import io.pgqueue.engine.recovery.LeaseCheckStore;
import io.pgqueue.engine.recovery.LeaseCheckTask;
import io.pgqueue.engine.recovery.RecoverTask;
import io.pgqueue.engine.support.Outage;
import io.pgqueue.engine.wakeup.JobEndings;
import io.pgqueue.engine.wakeup.WakeUpStore;
import io.pgqueue.engine.wakeup.WakeUps;
import io.pgqueue.engine.worker.ListenerSettings;
import io.pgqueue.engine.worker.WorkerHost;
import io.pgqueue.engine.worker.WorkerParts;
import io.pgqueue.engine.worker.WorkerSettings;
import io.pgqueue.engine.worker.RecoveryRules;
import io.pgqueue.engine.worker.WorkerStore;
import io.pgqueue.engine.worker.WorkerStores;
import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

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
			WorkerStore workers = new WorkerStore(queue);
			WakeUps wakeUps = new WakeUps(new WakeUpStore(queue, StoreListener.NONE), new AdmissionStore(queue));
			Outage outage = new Outage();
			WorkerHost host = new WorkerHost(new WorkerParts(
					new WorkerStores(queue, queue, KeptJobs.ALL, new JoinedTransaction(pool), StoreListener.NONE),
					workers, pool, ListenerSettings.DEFAULT, schema, wakeUps, new JobEndings(), handlers(jdbc),
					RetryPolicy.DEFAULT, new JobTransactions(new DataSourceTransactionManager(pool), pool),
					Executors.defaultThreadFactory(), settings()), outage);
			MaintenanceStore maintaining = new MaintenanceStore(queue);
			Maintenance maintenance = new Maintenance(maintaining, outage,
					List.of(new PromoteTask(maintaining, wakeUps),
							new RecoverTask(workers, wakeUps, RecoveryRules.attempts(MAX_ATTEMPTS)),
							new LeaseCheckTask(new LeaseCheckStore(queue))));
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
		return HandlerRegistry.builder(new JacksonPayloadCodec(JsonMapper.shared())).add((registry) -> {
			registry.add(VerifiedJobs.PLAIN, Integer.class, handler);
			registry.add(VerifiedJobs.TRANSACTIONAL, Integer.class, HandlerOptions.NONE.transactional(true), handler);
		}, "verify").build();
	}

	private static WorkerSettings settings() {
		return new WorkerSettings(SLOTS, Map.of(), SLOTS, WorkerSettings.DEFAULT_PREFETCH_WAIT, MAX_ATTEMPTS,
				Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofSeconds(20), null,
				WorkerSettings.DEFAULT_MAX_PAYLOAD_SIZE);
	}

}

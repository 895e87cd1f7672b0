package io.rowqueue.engine.worker;

import java.time.Duration;
import java.util.Map;

import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.slot.PoolFactory;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Stores;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A process that stops its worker in good order when it ends, and with a handler that
 * ends it.
 */
final class ExitingWorker {

	private ExitingWorker() {
	}

	public static void main(String[] arguments) {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(arguments[0]);
		dataSource.setUser(arguments[1]);
		dataSource.setPassword(arguments[2]);
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		Stores store = new Stores(jdbc);
		HandlerRegistry handlers = HandlerRegistry.builder(Engine.CODEC)
			.add((registry) -> registry.add("exit", String.class, (payload, context) -> {
				jdbc.update("insert into run (job_id, attempt) values (?, ?)", context.id(), context.attempt());
				System.exit(1);
			}), "test")
			.build();
		WorkerHost host = new WorkerHost(
				store.workerParts(dataSource, handlers, null,
						new WorkerSettings(2, Map.of(), 0, WorkerSettings.DEFAULT_PREFETCH_WAIT, 10,
								Duration.ofMillis(200), WorkerSettings.DEFAULT_IDLE_INTERVAL, Duration.ofSeconds(30),
								Duration.ZERO, null, WorkerSettings.DEFAULT_MAX_PAYLOAD_SIZE)),
				new Outage(), PoolFactory.OWN, "");
		Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(host)));
		host.start();
	}

	private static void stop(WorkerHost host) {
		try {
			host.stop();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}

package io.rowqueue.engine.worker;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.rowqueue.engine.database.BoundedSocketFactory;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.slot.PoolFactory;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.testing.ChildProcesses;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Stores;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** A process that is sent more than fits into its memory. */
final class SmallHeapWorker {

	private SmallHeapWorker() {
	}

	/** Starts it with such a heap; without memory it ends. */
	static Process start(Engine engine, String heap, int payload) throws IOException {
		PGSimpleDataSource database = engine.dataSource();
		return ChildProcesses.start(List.of("-Xmx" + heap, "-XX:+ExitOnOutOfMemoryError"), SmallHeapWorker.class,
				database.getUrl(), database.getUser(), database.getPassword(), Integer.toString(payload));
	}

	public static void main(String[] arguments) {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(arguments[0]);
		dataSource.setUser(arguments[1]);
		dataSource.setPassword(arguments[2]);
		dataSource.setSocketFactory(BoundedSocketFactory.class.getName());
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		Stores store = new Stores(jdbc);
		HandlerRegistry handlers = HandlerRegistry.builder(Engine.CODEC)
			.add((registry) -> registry.add("test", String.class, (payload, context) -> {
				if (payload == null || (payload.length() != 1 && payload.length() != Integer.parseInt(arguments[3]))) {
					throw new IllegalStateException("not the payload");
				}
			}), "test")
			.build();
		new WorkerHost(
				store.workerParts(dataSource, handlers, null,
						new WorkerSettings(10, Map.of(), 1000, WorkerSettings.DEFAULT_PREFETCH_WAIT, 1,
								Duration.ofMillis(200), WorkerSettings.DEFAULT_IDLE_INTERVAL, Duration.ofSeconds(30),
								Duration.ofSeconds(10), null, WorkerSettings.DEFAULT_MAX_PAYLOAD_SIZE)),
				new Outage(), PoolFactory.OWN, "")
			.start();
	}

}

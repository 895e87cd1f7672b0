package io.rowqueue.lab.dbos;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.DBOSClient;
import dev.dbos.transact.DBOSClient.EnqueueOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.migrations.MigrationManager;
import dev.dbos.transact.workflow.Queue;
import dev.dbos.transact.workflow.Workflow;
import io.rowqueue.lab.contestant.Contestant;
import io.rowqueue.lab.contestant.Db;
import io.rowqueue.lab.contestant.Ledger;
import io.rowqueue.lab.contestant.Payload;
import io.rowqueue.lab.contestant.Versions;

/**
 * DBOS Transact: a job is a workflow without steps on a queue. A client enqueues, so that
 * workflows exist before anything runs them; it stores each by itself, as there is no
 * other way. The queue has a worker concurrency, since a worker without one takes all
 * that waits at once. How often it polls, once a second unless that is set, decides how
 * many workflows it starts.
 */
final class DbosQueue implements Contestant {

	private static final int CONCURRENCY = 100;

	private static final Duration POLL = Duration.ofMillis(10);

	private static final int POOL = 20;

	private static final String QUEUE = "mail";

	private static final String SENTINEL_ID = "sentinel";

	private static final int SENTINEL = 7_777_777;

	private static final int SCHEDULED_DAYS = 365;

	private static final EnqueueOptions OPTIONS = new EnqueueOptions("send", QUEUE)
		.withClassName(MailWorkflows.class.getName());

	private final Db db;

	private final Connection watch;

	private final DBOS dbos;

	private final DBOSClient client;

	private DbosQueue(Db db, DBOS dbos, DBOSClient client) throws SQLException {
		this.db = db;
		this.watch = db.connect();
		this.dbos = dbos;
		this.client = client;
	}

	static DbosQueue create(Db db, Ledger ledger) throws SQLException {
		HikariDataSource pool = db.pool(POOL);
		// the lab looks for its tables where those of all others are
		DBOSConfig config = DBOSConfig.defaults("lab")
			.withDataSource(pool)
			.withDatabaseSchema("public")
			// a process recovers what others of its id have left: those of the others
			// still run
			.withExecutorId("process-" + ProcessHandle.current().pid());
		MigrationManager.runMigrations(config);
		DBOS dbos = new DBOS(config);
		dbos.registerProxy(Mails.class, new MailWorkflows(ledger));
		dbos.registerQueue(new Queue(QUEUE).withWorkerConcurrency(CONCURRENCY).withPollingInterval(POLL));
		return new DbosQueue(db, dbos, new DBOSClient(db.pool(POOL), "public"));
	}

	@Override
	public String version() {
		return Versions.of(DBOS.class);
	}

	@Override
	public String settings() {
		return "workflows without steps, worker concurrency " + CONCURRENCY + ", poll " + POLL.toMillis() + " ms, pool "
				+ POOL + ", enqueued one by one by its client";
	}

	@Override
	public void enqueue(int job) {
		enqueue(job, OPTIONS);
	}

	private void enqueue(int job, EnqueueOptions options) {
		Payload payload = Payload.of(job);
		this.client.enqueueWorkflow(options, new Object[] { payload.n(), payload.to(), payload.kind() });
	}

	@Override
	public void enqueueAll(int from, int to) {
		for (int job = from; job < to; job++) {
			enqueue(job);
		}
	}

	@Override
	public void fill(int jobs) throws SQLException {
		fill(jobs, OPTIONS);
	}

	@Override
	public void fillScheduled(int jobs) throws SQLException {
		fill(jobs, OPTIONS.withDelay(Duration.ofDays(SCHEDULED_DAYS)));
	}

	private void fill(int jobs, EnqueueOptions options) throws SQLException {
		enqueue(SENTINEL, options.withWorkflowId(SENTINEL_ID));
		this.db.multiply(table(), jobs, Map.of("workflow_uuid", "g.uid", "inputs",
				"replace(t.inputs, '" + SENTINEL + "', g.i::text)", "created_at", "t.created_at + g.i / 1000"));
	}

	@Override
	public String table() {
		return "workflow_status";
	}

	@Override
	public Optional<String> number() {
		return Optional.of("inputs");
	}

	@Override
	public String waiting() {
		return table() + " where status in ('ENQUEUED', 'PENDING')";
	}

	@Override
	public void startWorker() {
		this.dbos.launch();
	}

	@Override
	public void stopWorker() {
		this.dbos.shutdown();
	}

	@Override
	public boolean isDrained() throws SQLException {
		return Db.isTrue(this.watch, "select not exists (select from " + waiting() + ")");
	}

	/** What the library makes a proxy of. */
	public interface Mails {

		/** Sends one. */
		void send(int n, String to, String kind);

	}

	/** The workflow. */
	public static final class MailWorkflows implements Mails {

		private final Ledger ledger;

		MailWorkflows(Ledger ledger) {
			this.ledger = ledger;
		}

		@Override
		@Workflow
		public void send(int n, String to, String kind) {
			this.ledger.begin(n);
		}

	}

}

package io.rowqueue.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.rowqueue.JobQueue;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.codec.JacksonPayloadCodec;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.database.TransactionCheck;
import io.rowqueue.engine.database.TransactionEndListener;
import io.rowqueue.engine.enqueue.CallerTransaction;
import io.rowqueue.engine.enqueue.Carriage;
import io.rowqueue.engine.enqueue.DeclaredTypes;
import io.rowqueue.engine.enqueue.EnqueueHooks;
import io.rowqueue.engine.enqueue.PayloadWriter;
import io.rowqueue.engine.enqueue.TransactionalJobQueue;
import io.rowqueue.engine.job.JobWindows;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.engine.limit.AdmissionStore;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.wakeup.JobEndings;
import io.rowqueue.engine.wakeup.WakeUpStore;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.listen.JobListener;
import io.rowqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The jobs of a verification, and what has become of them. */
final class VerifiedJobs {

	/** The type of the jobs whose runs are recorded outside of a transaction. */
	static final String PLAIN = "plain";

	/** The type of the jobs whose runs are recorded in the transaction of the job. */
	static final String TRANSACTIONAL = "transactional";

	static final String RECORD_RUN = "insert into " + VerifyCommand.SCHEMA + ".run (number, process) values (?, ?)";

	/** How long a handler runs. */
	static final Duration RUN_TIME = Duration.ofMillis(20);

	private static final int JOBS_OF_TRANSACTION = 10;

	/** One transaction of so many is rolled back. */
	private static final int ROLLED_BACK = 10;

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	private static final Duration PAUSE = Duration.ofMillis(100);

	private static final int MOST_NAMED = 10;

	private final JdbcTemplate jdbc;

	private final JobQueue queue;

	private final TransactionTemplate transactions;

	private final int jobs;

	VerifiedJobs(DataSource dataSource, int jobs) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.jobs = jobs;
		this.transactions = new TransactionTemplate(
				TransactionEndListener.addTo(new DataSourceTransactionManager(dataSource)));
		QueueDatabase database = new QueueDatabase(this.jdbc, new SchemaName(VerifyCommand.SCHEMA));
		this.queue = new TransactionalJobQueue(QueueDatabases.of(database), KeptJobs.ALL,
				new CallerTransaction(dataSource, false, new TransactionCheck(TransactionCheck.Mode.REQUIRED)),
				new PayloadWriter(JacksonPayloadCodec.ofDefaults(), PayloadWriter.DEFAULT_MAX_SIZE),
				new WakeUps(new WakeUpStore(database, StoreListener.NONE), new AdmissionStore(database)),
				new JobEndings(), new EnqueueHooks(List::of, () -> JobListener.NONE, DeclaredTypes.NONE,
						DirectStart.NONE, JobWindows.NONE),
				Carriage.NONE);
	}

	/** Nothing in the tables keeps a second run of a job out. */
	void createTables() {
		this.jdbc.execute("create table " + VerifyCommand.SCHEMA
				+ ".run (id bigint generated always as identity primary key, number int not null, process text not null)");
		this.jdbc.execute("create table " + VerifyCommand.SCHEMA
				+ ".committed (number int primary key, transactional boolean not null)");
	}

	/** Enqueues the jobs, some of them in transactions that are rolled back. */
	void enqueue() {
		for (int first = 0; first < this.jobs; first += JOBS_OF_TRANSACTION) {
			List<Integer> numbers = IntStream.range(first, Math.min(first + JOBS_OF_TRANSACTION, this.jobs))
				.boxed()
				.toList();
			boolean rolledBack = (first / JOBS_OF_TRANSACTION) % ROLLED_BACK == ROLLED_BACK - 1;
			this.transactions.executeWithoutResult((transaction) -> {
				numbers.forEach(this::enqueue);
				if (rolledBack) {
					transaction.setRollbackOnly();
				}
			});
		}
	}

	private void enqueue(int number) {
		boolean transactional = number % 2 == 1;
		this.jdbc.update("insert into " + VerifyCommand.SCHEMA + ".committed values (?, ?)", number, transactional);
		this.queue.enqueue(JobRequest.of(transactional ? TRANSACTIONAL : PLAIN, number));
	}

	int runs() {
		return count("select count(*) from {schema}.run");
	}

	void awaitWorkers(int workers, List<VerifyProcess> processes) throws InterruptedException {
		await("The worker processes have not started",
				() -> count("select count(*) from {schema}.worker where dead_at is null") >= workers, processes);
	}

	void awaitRuns(int runs, List<VerifyProcess> processes) throws InterruptedException {
		await("The worker processes run no jobs", () -> runs() >= runs, processes);
	}

	/** Returns when no job waits or runs, at the latest when the patience is over. */
	void awaitEnd(List<VerifyProcess> processes) throws InterruptedException {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (count("select count(*) from {schema}.job where state <> 'failed'") > 0 && System.nanoTime() < deadline) {
			checkAlive(processes);
			Thread.sleep(PAUSE.toMillis());
		}
	}

	private void await(String otherwise, BooleanSupplier condition, List<VerifyProcess> processes)
			throws InterruptedException {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (!condition.getAsBoolean()) {
			checkAlive(processes);
			if (System.nanoTime() > deadline) {
				throw new JobQueueException(otherwise + " within " + PATIENCE.toMinutes() + " minutes.");
			}
			Thread.sleep(PAUSE.toMillis());
		}
	}

	private static void checkAlive(List<VerifyProcess> processes) {
		for (VerifyProcess process : processes) {
			if (process.hasFailed()) {
				throw new JobQueueException("The process " + process.name() + " has ended by itself.");
			}
		}
	}

	private int expected() {
		return count("select count(*) from {schema}.committed");
	}

	/**
	 * Compares what was committed with what ran.
	 * @param killed the names of the processes that were killed
	 */
	List<Finding> check(List<String> killed) {
		String processes = killed.isEmpty() ? "array[]::text[]" : "array['" + String.join("','", killed) + "']";
		List<Finding> findings = new ArrayList<>();
		findings.add(finding(expected() + " jobs were committed; of those that did not run: ", """
				select number from {schema}.committed c
				where not exists (select from {schema}.run r where r.number = c.number)"""));
		findings.add(finding("Jobs that waited, ran or had failed in the end: ", "select id from {schema}.job"));
		findings.add(finding("Jobs of rolled back transactions that ran: ", """
				select distinct number from {schema}.run r
				where not exists (select from {schema}.committed c where c.number = r.number)"""));
		findings.add(finding("Transactional jobs whose effects took place more than once: ", """
				select number from {schema}.run join {schema}.committed using (number)
				where transactional group by number having count(*) > 1"""));
		findings.add(finding("Jobs that ran again although their process was not killed: ", """
				select distinct number from {schema}.run first
				where not process = any (%s) and exists (select from {schema}.run later
					where later.number = first.number and later.id > first.id)""".formatted(processes)));
		findings.add(Finding.ok("Jobs that ran again since their process was killed: " + count("""
				select count(*) from (select from {schema}.run group by number having count(*) > 1) again""")));
		return findings;
	}

	private Finding finding(String text, String sql) {
		List<@Nullable Long> found = this.jdbc.queryForList(inSchema(sql), Long.class);
		if (found.isEmpty()) {
			return Finding.ok(text + 0);
		}
		return Finding.problem(
				text + found.size() + ", such as " + found.stream().limit(MOST_NAMED).map(String::valueOf).toList());
	}

	private int count(String sql) {
		Integer count = this.jdbc.queryForObject(inSchema(sql), Integer.class);
		return (count != null) ? count : 0;
	}

	private static String inSchema(String sql) {
		return sql.replace("{schema}", VerifyCommand.SCHEMA);
	}

}

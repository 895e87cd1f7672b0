package io.rowqueue.lab.contestant;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.serializer.JacksonSerializer;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;

/** db-scheduler with the strategy that its documentation calls fastest. */
final class DbScheduler implements Contestant {

	private static final int THREADS = 20;

	private static final double LOWER = 4;

	private static final double UPPER = 20;

	private static final Duration POLL = Duration.ofMillis(100);

	private final boolean immediate;

	private final Db db;

	private final Connection watch;

	private final OneTimeTask<Payload> task;

	private final Scheduler scheduler;

	private final SchedulerClient client;

	/** It starts once; later it pauses and resumes. */
	private boolean started;

	private DbScheduler(Db db, Ledger ledger, boolean immediate) throws SQLException {
		this.db = db;
		this.immediate = immediate;
		this.task = Tasks.oneTime("mail", Payload.class)
			.execute((instance, context) -> ledger.begin(instance.getData().n()));
		this.watch = db.connect();
		SchedulerBuilder builder = Scheduler.create(db.pool(THREADS + 4), this.task)
			.serializer(new JacksonSerializer())
			.threads(THREADS)
			.pollUsingLockAndFetch(LOWER, UPPER)
			.pollingInterval(POLL);
		if (immediate) {
			builder.enableImmediateExecution();
		}
		this.scheduler = builder.build();
		this.client = immediate ? this.scheduler
				: SchedulerClient.Builder.create(db.pool(9), this.task).serializer(new JacksonSerializer()).build();
	}

	/**
	 * Creates the tables.
	 * @param immediate whether jobs are enqueued by the scheduler itself, which then
	 * looks for them at once; else it polls
	 */
	static DbScheduler create(Db db, Ledger ledger, boolean immediate) throws SQLException {
		db.execute("""
				create table if not exists scheduled_tasks (
					task_name text not null, task_instance text not null, task_data bytea,
					execution_time timestamptz not null, picked boolean not null, picked_by text,
					last_success timestamptz, last_failure timestamptz, consecutive_failures int,
					last_heartbeat timestamptz, version bigint not null, priority smallint,
					primary key (task_name, task_instance))""",
				"create index if not exists execution_time_idx on scheduled_tasks (execution_time)",
				"create index if not exists last_heartbeat_idx on scheduled_tasks (last_heartbeat)");
		return new DbScheduler(db, ledger, immediate);
	}

	@Override
	public String version() {
		return Versions.of(Scheduler.class);
	}

	@Override
	public String settings() {
		return "lock-and-fetch " + LOWER + "/" + UPPER + ", " + THREADS + " threads, poll " + POLL.toMillis()
				+ " ms, JacksonSerializer" + (this.immediate ? ", enqueued by the scheduler, immediate execution"
						: ", enqueued by another client");
	}

	@Override
	public void enqueue(int job) {
		this.client.scheduleIfNotExists(this.task.instance("m" + job, Payload.of(job)), Instant.now());
	}

	@Override
	public void enqueueAll(int from, int to) {
		List<TaskInstance<?>> batch = new ArrayList<>(to - from);
		for (int job = from; job < to; job++) {
			batch.add(this.task.instance("m" + job, Payload.of(job)));
		}
		this.client.scheduleBatch(batch, Instant.now());
	}

	@Override
	public void fill(int jobs) throws SQLException {
		this.db.execute(
				"insert into scheduled_tasks (task_name, task_instance, task_data, execution_time, picked, version)"
						+ " select 'mail', 'm' || i, convert_to(" + Payload.jsonSql("i")
						+ ", 'UTF8'), now() + i * interval '1 us', false, 1 from generate_series(0, " + (jobs - 1)
						+ ") i");
	}

	@Override
	public String table() {
		return "scheduled_tasks";
	}

	@Override
	public Optional<String> number() {
		return Optional.of("task_instance");
	}

	@Override
	public void startWorker() {
		if (this.started) {
			this.scheduler.resume();
			return;
		}
		this.scheduler.start();
		this.started = true;
	}

	@Override
	public void stopWorker() {
		this.scheduler.pause();
	}

	@Override
	public boolean isDrained() throws SQLException {
		return Db.isTrue(this.watch, "select not exists (select from scheduled_tasks)");
	}

}

package io.rowqueue.lab.contestant;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.utils.ConnectionProvider;

/**
 * Quartz with its clustered JDBC store: one job, and a trigger for each piece of work.
 */
public final class QuartzQueue implements Contestant {

	private static final int THREADS = 20;

	private static final int BATCH = 100;

	private static final int SENTINEL = 7_777_777;

	private final Db db;

	private final Connection watch;

	private final JobDetail job = JobBuilder.newJob(Mail.class).withIdentity("mail").storeDurably().build();

	private final Scheduler scheduler;

	private QuartzQueue(Db db) throws SQLException, SchedulerException {
		this.db = db;
		this.watch = db.connect();
		this.scheduler = new StdSchedulerFactory(properties()).getScheduler();
		this.scheduler.addJob(this.job, true);
	}

	static QuartzQueue create(Db db, Ledger ledger) throws SQLException, SchedulerException {
		try (Connection connection = db.connect()) {
			if (Db.isTrue(connection, "select to_regclass('qrtz_triggers') is null")) {
				createTables(db);
			}
		}
		Mail.ledger = ledger;
		Pool.connections = db.pool(THREADS + 10);
		return new QuartzQueue(db);
	}

	private static void createTables(Db db) throws SQLException {
		try (InputStream tables = Job.class.getResourceAsStream("/org/quartz/impl/jdbcjobstore/tables_postgres.sql")) {
			db.execute(new String(Objects.requireNonNull(tables).readAllBytes(), StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Properties properties() {
		Properties properties = new Properties();
		Map.of("scheduler.instanceName", "bench", "scheduler.instanceId", "AUTO", "scheduler.skipUpdateCheck", "true",
				"scheduler.idleWaitTime", "1000", "scheduler.batchTriggerAcquisitionMaxCount", "" + BATCH,
				"threadPool.class", "org.quartz.simpl.SimpleThreadPool", "threadPool.threadCount", "" + THREADS)
			.forEach((key, value) -> properties.put("org.quartz." + key, value));
		Map.of("class", "org.quartz.impl.jdbcjobstore.JobStoreTX", "driverDelegateClass",
				"org.quartz.impl.jdbcjobstore.PostgreSQLDelegate", "useProperties", "true", "isClustered", "true",
				"acquireTriggersWithinLock", "true", "dataSource", "ds")
			.forEach((key, value) -> properties.put("org.quartz.jobStore." + key, value));
		properties.put("org.quartz.dataSource.ds.connectionProvider.class", Pool.class.getName());
		return properties;
	}

	@Override
	public String version() {
		return Versions.of(Scheduler.class);
	}

	@Override
	public String settings() {
		return "clustered JobStoreTX, " + THREADS + " threads, batchTriggerAcquisitionMaxCount " + BATCH
				+ ", acquireTriggersWithinLock, useProperties, enqueued by the worker's scheduler";
	}

	private Trigger trigger(int number) {
		Payload payload = Payload.of(number);
		return TriggerBuilder.newTrigger()
			.forJob("mail")
			.withIdentity("m" + number)
			.usingJobData("n", "" + number)
			.usingJobData("to", payload.to())
			.usingJobData("kind", payload.kind())
			.withSchedule(SimpleScheduleBuilder.simpleSchedule().withMisfireHandlingInstructionIgnoreMisfires())
			.startNow()
			.build();
	}

	@Override
	public void enqueue(int number) throws SchedulerException {
		this.scheduler.scheduleJob(trigger(number));
	}

	@Override
	public void enqueueAll(int from, int to) throws SchedulerException {
		Set<Trigger> triggers = new HashSet<>();
		for (int number = from; number < to; number++) {
			triggers.add(trigger(number));
		}
		Map<JobDetail, Set<? extends Trigger>> all = new HashMap<>();
		all.put(this.job, triggers);
		this.scheduler.scheduleJobs(all, true);
	}

	@Override
	public void fill(int jobs) throws SQLException {
		try {
			enqueue(SENTINEL);
		}
		catch (SchedulerException ex) {
			throw new SQLException(ex);
		}
		this.db.multiply("qrtz_triggers", jobs, Map.of("trigger_name", "'m' || g.i", "job_data",
				"convert_to(replace(convert_from(t.job_data, 'UTF8'), '" + SENTINEL + "', g.i::text), 'UTF8')"));
	}

	@Override
	public String table() {
		return "qrtz_triggers";
	}

	@Override
	public Optional<String> number() {
		return Optional.of("trigger_name");
	}

	@Override
	public void startWorker() throws SchedulerException {
		this.scheduler.start();
	}

	@Override
	public void stopWorker() throws SchedulerException {
		this.scheduler.standby();
	}

	@Override
	public boolean isDrained() throws SQLException {
		return Db.isTrue(this.watch,
				"select not exists (select from qrtz_triggers) and not exists (select from qrtz_fired_triggers)");
	}

	/** Runs a job; made by the library. */
	public static final class Mail implements Job {

		private static @Nullable Ledger ledger;

		@Override
		public void execute(JobExecutionContext context) {
			Objects.requireNonNull(ledger).begin(Integer.parseInt(context.getTrigger().getJobDataMap().getString("n")));
		}

	}

	/** Gives connections to the library, which makes it. */
	public static final class Pool implements ConnectionProvider {

		private static @Nullable HikariDataSource connections;

		@Override
		public Connection getConnection() throws SQLException {
			return Objects.requireNonNull(connections).getConnection();
		}

		@Override
		public void initialize() {
			// it is there
		}

		@Override
		public void shutdown() {
			// it ends with the process
		}

	}

}

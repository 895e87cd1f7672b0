package io.rowqueue.cli;

import java.io.PrintWriter;
import java.io.Serializable;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TimeZone;
import java.util.UUID;

import javax.sql.DataSource;

import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.serializer.JacksonSerializer;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import io.rowqueue.cli.importer.ImportOptions;
import io.rowqueue.cli.importer.ImportPlan;
import io.rowqueue.cli.importer.Importer;
import io.rowqueue.postgres.Database;
import io.rowqueue.schedule.Rhythm;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schema.SchemaName;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.scheduling.BackgroundJobRequest;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.junit.jupiter.api.Test;
import org.quartz.CronScheduleBuilder;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.utils.ConnectionProvider;
import org.quartz.utils.DBConnectionManager;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ScriptUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** Jobs that the real schedulers have stored. */
class ImportTests {

	private static final Instant DUE = Instant.now().plus(Duration.ofDays(3)).truncatedTo(ChronoUnit.MILLIS);

	private final Database database = TestQueue.create();

	private final DataSource dataSource = TestQueue.dataSource(this.database);

	private final JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);

	private final StringWriter out = new StringWriter();

	/** The data of a reminder. */
	public record Reminder(long order) implements Serializable {

	}

	@Test
	void waitingTasksOfDbSchedulerAreMoved() {
		this.jdbc.execute("""
				create table scheduled_tasks (
					task_name text not null, task_instance text not null, task_data bytea,
					execution_time timestamptz not null, picked boolean not null, picked_by text,
					last_success timestamptz, last_failure timestamptz, consecutive_failures int,
					last_heartbeat timestamptz, version bigint not null, priority smallint,
					primary key (task_name, task_instance))""");
		OneTimeTask<Reminder> remind = Tasks.oneTime("remind", Reminder.class).execute((instance, context) -> {
		});
		SchedulerClient.Builder.create(this.dataSource, remind)
			.serializer(new JacksonSerializer())
			.build()
			.scheduleIfNotExists(remind.instance("7", new Reminder(7)), DUE);
		SchedulerClient.Builder.create(this.dataSource, remind)
			.build()
			.scheduleIfNotExists(remind.instance("8", new Reminder(8)), DUE);
		this.jdbc.update("insert into scheduled_tasks (task_name, task_instance, execution_time, picked, version)"
				+ " values ('nightly', 'recurring', now(), false, 1), ('remind', 'taken', now(), true, 1)");

		assertThat(run("import", "db-scheduler")).isZero();
		assertThat(this.out.toString()).containsPattern("remind/7 +job +remind")
			.containsPattern("remind/8 +stays .*its data is serialized by Java")
			.containsPattern("nightly/recurring +stays .*@RecurringJob")
			.contains("Nothing was changed: --apply moves 1 jobs and 0 schedules")
			.doesNotContain("taken");
		assertThat(jobs()).isEmpty();

		assertThat(run("import", "db-scheduler", "--apply", "--type=remind=reminder")).isZero();
		assertThat(jobs()).containsExactly("reminder {\"order\":7} remind/7 " + DUE);
		assertThat(tasks()).containsExactly("nightly", "remind", "remind");

		assertThat(run("import", "db-scheduler", "--apply", "--without-data")).isZero();
		assertThat(jobs()).hasSize(2).contains("remind null remind/8 " + DUE);
		assertThat(tasks()).containsExactly("nightly", "remind");
	}

	private List<String> tasks() {
		return this.jdbc.queryForList("select task_name from scheduled_tasks order by 1", String.class);
	}

	/** A request of JobRunr. */
	public static final class Mail implements JobRequest {

		/** The receiver. */
		public String to = "";

		/** What it costs. */
		public BigDecimal price = new BigDecimal("12.50");

		@Override
		public Class<MailHandler> getJobRequestHandler() {
			return MailHandler.class;
		}

	}

	/** Its handler. */
	public static final class MailHandler implements JobRequestHandler<Mail> {

		@Override
		public void run(Mail mail) {
		}

	}

	@Test
	void waitingAndRecurringJobsOfJobRunrAreMoved() {
		UUID id = UUID.randomUUID();
		JobRunr.configure().useStorageProvider(new PostgresStorageProvider(this.dataSource)).initialize();
		try {
			Mail mail = new Mail();
			mail.to = "ada";
			BackgroundJobRequest.enqueue(id, mail);
			BackgroundJobRequest.schedule(DUE, mail);
			BackgroundJobRequest.scheduleRecurrently("nightly", "0 2 * * *", ZoneId.of("Europe/Berlin"), mail);
			BackgroundJobRequest.scheduleRecurrently("often", Duration.ofMinutes(5), mail);
			BackgroundJobRequest.scheduleRecurrently("declared", Duration.ofMinutes(5), mail);
		}
		finally {
			JobRunr.destroy();
		}
		new Queue(this.dataSource, SchemaName.DEFAULT).schedules()
			.put(Schedule.of("declared", Rhythm.every(Duration.ofHours(1)), io.rowqueue.JobRequest.of("report")));
		this.jdbc.update("update rowqueue.schedule set source = 'annotation'");

		assertThat(run("import", "jobrunr", "--apply", "--type=ImportTests$MailHandler.run=mail")).isZero();

		assertThat(jobs()).hasSize(2)
			.allMatch((job) -> job.startsWith("mail {\"price\":12.50,\"to\":\"ada\"}"))
			.anyMatch((job) -> job.endsWith(DUE.toString()))
			.anyMatch((job) -> job.contains(id.toString()));
		assertThat(schedules()).containsExactly("declared report PT1H", "nightly mail 0 0 2 * * * Europe/Berlin",
				"often mail PT5M");
		assertThat(this.jdbc.queryForObject(
				"select (select count(*) from jobrunr_jobs) + (select count(*) from jobrunr_recurring_jobs)",
				Integer.class))
			.isZero();
	}

	/** A job of Quartz. */
	public static final class Report implements Job {

		@Override
		public void execute(JobExecutionContext context) {
		}

	}

	@Test
	void triggersOfQuartzAreMoved() throws SchedulerException, SQLException {
		Scheduler scheduler = quartz(true);
		scheduler.addJob(JobBuilder.newJob(Report.class)
			.withIdentity("report")
			.usingJobData("format", "pdf")
			.usingJobData("year", "2026")
			.storeDurably()
			.build(), true);
		scheduler.scheduleJob(TriggerBuilder.newTrigger()
			.withIdentity("fridays")
			.forJob("report")
			.withSchedule(
					CronScheduleBuilder.cronSchedule("0 30 6 ? * 6").inTimeZone(TimeZone.getTimeZone("Europe/Berlin")))
			.build());
		scheduler.scheduleJob(TriggerBuilder.newTrigger()
			.withIdentity("once", "reports")
			.forJob("report")
			.usingJobData("year", "2027")
			.startAt(java.util.Date.from(DUE))
			.build());
		scheduler.scheduleJob(TriggerBuilder.newTrigger()
			.withIdentity("hourly")
			.forJob("report")
			.usingJobData("format", "csv")
			.startAt(java.util.Date.from(DUE))
			.withSchedule(SimpleScheduleBuilder.repeatHourlyForever())
			.build());
		scheduler.scheduleJob(TriggerBuilder.newTrigger()
			.withIdentity("thrice")
			.forJob("report")
			.startAt(java.util.Date.from(DUE))
			.withSchedule(SimpleScheduleBuilder.repeatHourlyForTotalCount(3))
			.build());
		scheduler.shutdown();

		assertThat(run("import", "quartz", "--apply", "--type=ImportTests$Report=report")).isZero();

		assertThat(this.out.toString()).containsPattern("thrice +stays .*it repeats 2 times");
		assertThat(jobs()).containsExactly("report {\"format\":\"pdf\",\"year\":\"2027\"} null " + DUE);
		assertThat(schedules()).containsExactly("fridays report 0 30 6 ? * FRI Europe/Berlin", "hourly report PT1H");
		assertThat(this.jdbc.queryForList("select trigger_name from qrtz_triggers", String.class))
			.containsExactly("thrice");
	}

	@Test
	void aTriggerThatQuartzHasTakenStays() throws SchedulerException, SQLException {
		Scheduler scheduler = quartz(false);
		scheduler.scheduleJob(JobBuilder.newJob(Report.class).withIdentity("report").build(),
				TriggerBuilder.newTrigger().withIdentity("once").startAt(java.util.Date.from(DUE)).build());
		scheduler.scheduleJob(JobBuilder.newJob(Report.class).withIdentity("of 0").usingJobData("year", 0).build(),
				TriggerBuilder.newTrigger().withIdentity("serialized").startAt(java.util.Date.from(DUE)).build());
		scheduler.shutdown();
		Queue queue = new Queue(this.dataSource, SchemaName.DEFAULT);
		ImportPlan plan = io.rowqueue.cli.importer.Scheduler.QUARTZ.read(this.jdbc,
				new ImportOptions("qrtz_", Map.of(), false));
		this.jdbc.update("update qrtz_triggers set trigger_state = 'ACQUIRED'");

		int moved = new Importer(this.jdbc, new TransactionTemplate(new JdbcTransactionManager(this.dataSource)),
				queue.schedules(), SchemaName.DEFAULT)
			.run(plan, false);

		assertThat(plan.jobs()).singleElement().satisfies((job) -> {
			assertThat(job.source()).isEqualTo("once");
			assertThat(job.payload()).isNull();
		});
		assertThat(moved).isZero();
		assertThat(jobs()).isEmpty();
		assertThat(this.jdbc.queryForList("select trigger_name from qrtz_simple_triggers", String.class))
			.containsExactlyInAnyOrder("once", "serialized");
	}

	private Scheduler quartz(boolean useProperties) throws SchedulerException, SQLException {
		try (Connection connection = this.dataSource.getConnection()) {
			ScriptUtils.executeSqlScript(connection,
					new ClassPathResource("org/quartz/impl/jdbcjobstore/tables_postgres.sql"));
		}
		DBConnectionManager.getInstance().addConnectionProvider("test", new ConnectionProvider() {

			@Override
			public Connection getConnection() throws SQLException {
				return ImportTests.this.dataSource.getConnection();
			}

			@Override
			public void shutdown() {
			}

			@Override
			public void initialize() {
			}

		});
		Properties properties = new Properties();
		properties.setProperty("org.quartz.scheduler.instanceName", "import");
		properties.setProperty("org.quartz.threadPool.threadCount", "1");
		properties.setProperty("org.quartz.jobStore.class", "org.quartz.impl.jdbcjobstore.JobStoreTX");
		properties.setProperty("org.quartz.jobStore.driverDelegateClass",
				"org.quartz.impl.jdbcjobstore.PostgreSQLDelegate");
		properties.setProperty("org.quartz.jobStore.useProperties", String.valueOf(useProperties));
		properties.setProperty("org.quartz.jobStore.dataSource", "test");
		return new StdSchedulerFactory(properties).getScheduler();
	}

	@Test
	void aTableThatDoesNotExistIsNamed() {
		assertThat(run("import", "quartz")).isEqualTo(1);
		assertThat(run("import", "cron")).isEqualTo(2);
		assertThat(run("import", "db-scheduler", "--tables=x; drop table y")).isEqualTo(2);
		assertThat(this.out.toString()).contains("qrtz_triggers")
			.contains("--tables")
			.contains("'cron' is not db-scheduler, jobrunr or quartz")
			.contains("is not the name of a table");
	}

	private List<String> jobs() {
		return this.jdbc.query("select type, payload, unique_key, run_at from rowqueue.job order by id",
				(row, index) -> row.getString(1) + " " + row.getString(2) + " " + row.getString(3) + " "
						+ row.getTimestamp(4).toInstant());
	}

	private List<String> schedules() {
		return this.jdbc.query("select name, type, cron, zone, every from rowqueue.schedule order by name",
				(row, index) -> row.getString(1) + " " + row.getString(2) + " "
						+ ((row.getString(3) != null) ? row.getString(3) + " " + row.getString(4)
								: Duration.ofSeconds(this.seconds(row.getString(1)))));
	}

	private long seconds(String schedule) {
		Long seconds = this.jdbc.queryForObject(
				"select extract(epoch from every)::bigint from rowqueue.schedule where name = ?", Long.class, schedule);
		return (seconds != null) ? seconds : 0;
	}

	private int run(String command, String... options) {
		String[] args = new String[options.length + 4];
		args[0] = command;
		System.arraycopy(options, 0, args, 1, options.length);
		args[options.length + 1] = "--url=" + this.database.url();
		args[options.length + 2] = "--user=" + this.database.username();
		args[options.length + 3] = "--password=" + this.database.password();
		PrintWriter writer = new PrintWriter(this.out, true);
		return Rowqueue.run(writer, writer, args);
	}

}

package io.rowqueue.lab.cost;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.CountDownLatch;

import javax.sql.DataSource;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import io.rowqueue.JobHandler;
import io.rowqueue.JobQueue;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.scheduling.BackgroundJobRequest;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An application with {@code spring-boot-starter-jdbc} and one queue or none, with the
 * queue's default settings and one handler. It runs one job that it enqueues itself, or
 * writes one row, and has nothing to do after that. A line of its input is answered with
 * what it holds then.
 */
public final class WeightApplication {

	private static final CountDownLatch RAN = new CountDownLatch(1);

	private WeightApplication() {
	}

	/**
	 * Runs until its input ends.
	 * @param arguments the name of the queue, and properties of a Spring Boot application
	 * @throws InterruptedException if it is interrupted
	 */
	public static void main(String[] arguments) throws InterruptedException {
		Class<?> configuration = switch (arguments[0]) {
			case "none" -> None.class;
			case "row" -> Row.class;
			case "rowqueue" -> Rowqueue.class;
			case "db-scheduler" -> DbScheduler.class;
			case "jobrunr" -> JobRunrQueue.class;
			default -> throw new IllegalArgumentException(arguments[0]);
		};
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(configuration)
			.properties("spring.main.banner-mode=off", "logging.level.root=warn")
			.run(arguments)) {
			context.getBean(Runnable.class).run();
			RAN.await();
			print("cpuMillis", ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis());
			Scanner lines = new Scanner(System.in, StandardCharsets.UTF_8);
			while (lines.hasNextLine()) {
				lines.nextLine();
				print("classes", ManagementFactory.getClassLoadingMXBean().getLoadedClassCount());
				System.gc();
				print("heapBytes", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
			}
		}
	}

	private static void print(String name, long value) {
		System.out.println(name + "=" + value);
		System.out.flush();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class None {

		@Bean
		Runnable first() {
			return RAN::countDown;
		}

	}

	/** Uses its database, and has Jackson, as most applications that get a queue. */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Row {

		@Bean
		Runnable first(DataSource dataSource, PlatformTransactionManager transactions) {
			JdbcTemplate jdbc = new JdbcTemplate(dataSource);
			return () -> {
				new TransactionTemplate(transactions).executeWithoutResult((transaction) -> {
					jdbc.execute("create table if not exists note (id bigint generated always as identity)");
					jdbc.update("insert into note default values");
				});
				RAN.countDown();
			};
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Rowqueue {

		@Bean
		Notes notes() {
			return new Notes();
		}

		@Bean
		Runnable first(JobQueue queue) {
			return () -> queue.enqueue("note", null);
		}

	}

	static final class Notes {

		@JobHandler("note")
		void write() {
			RAN.countDown();
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class DbScheduler {

		@Bean
		DataSourceScriptDatabaseInitializer tables(DataSource dataSource) {
			DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
			settings.setSchemaLocations(List.of("classpath:io/rowqueue/lab/cost/db-scheduler.sql"));
			settings.setMode(DatabaseInitializationMode.ALWAYS);
			return new DataSourceScriptDatabaseInitializer(dataSource, settings);
		}

		@Bean
		OneTimeTask<Void> note() {
			return Tasks.oneTime("note").execute((instance, context) -> RAN.countDown());
		}

		@Bean(initMethod = "start", destroyMethod = "stop")
		Scheduler scheduler(DataSource dataSource, OneTimeTask<Void> note, DataSourceScriptDatabaseInitializer tables) {
			return Scheduler.create(dataSource, note).build();
		}

		@Bean
		Runnable first(Scheduler scheduler, OneTimeTask<Void> note) {
			return () -> scheduler.scheduleIfNotExists(note.instance("first-" + Instant.now()), Instant.now());
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class JobRunrQueue {

		@Bean(destroyMethod = "close")
		PostgresStorageProvider storage(DataSource dataSource) {
			return new PostgresStorageProvider(dataSource);
		}

		@Bean
		Runnable first(PostgresStorageProvider storage) {
			JobRunr.configure().useStorageProvider(storage).useBackgroundJobServer().initialize();
			return () -> BackgroundJobRequest.enqueue(new Note());
		}

	}

	/** A job of JobRunr. */
	public static final class Note implements JobRequest {

		@Override
		public Class<NoteHandler> getJobRequestHandler() {
			return NoteHandler.class;
		}

	}

	/** Runs a job of JobRunr; made by the library. */
	public static final class NoteHandler implements JobRequestHandler<Note> {

		@Override
		public void run(Note note) {
			RAN.countDown();
		}

	}

}

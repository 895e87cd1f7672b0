package io.rowqueue.lab.verify.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Arrays;

import javax.sql.DataSource;

import io.rowqueue.HandlerOptions;
import io.rowqueue.JobHandlers;
import io.rowqueue.lab.verify.worker.Work;
import io.rowqueue.lab.verify.worker.Effects;
import io.rowqueue.lab.verify.worker.Reporter;
import io.rowqueue.lab.verify.worker.WorkerSpec;
import io.rowqueue.lab.verify.ledger.Event;
import io.rowqueue.lab.verify.ledger.LedgerFile;
import io.rowqueue.lab.verify.load.WorkerLoad;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * An application with handlers, as its users write them, which also enqueues: one worker
 * process.
 */
public final class WorkerMain {

	private WorkerMain() {
	}

	/**
	 * Runs until it is stopped, or until its standard input ends because its starter is
	 * gone.
	 * @param arguments properties: {@code --lab.process}, {@code --lab.ledgers},
	 * {@code --lab.types}, {@code --lab.holds-connection}, and those of the application
	 */
	public static void main(String[] arguments) {
		endWithStarter();
		SpringApplication application = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.build();
		application.run(arguments).getBean(LedgerFile.class).append(Event.READY);
	}

	private static void endWithStarter() {
		InputStream starter = System.in;
		Thread watch = new Thread(() -> {
			try {
				starter.transferTo(OutputStream.nullOutputStream());
			}
			catch (IOException ex) {
				// the file no longer exists
			}
			Runtime.getRuntime().halt(1);
		}, "starter-watch");
		watch.setDaemon(true);
		watch.start();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		/** Not beside handlers that hold the only connection of the application. */
		@Bean
		@ConditionalOnProperty(name = "lab.holds-connection", havingValue = "false", matchIfMissing = true)
		WorkerLoad load(ApplicationContext application, Environment environment, LedgerFile ledger) {
			return new WorkerLoad(application, ledger, Path.of(environment.getRequiredProperty("lab.ledgers")),
					environment.getRequiredProperty("lab.process"),
					Arrays.stream(environment.getRequiredProperty("lab.types").split(",", -1))
						.filter((type) -> !type.equals(WorkerSpec.POISON))
						.toList());
		}

		@Bean
		LedgerFile ledger(Environment environment) {
			return LedgerFile.open(Path.of(environment.getRequiredProperty("lab.ledgers")),
					environment.getRequiredProperty("lab.process"));
		}

		@Bean
		JobHandlers.Registrar handlers(Environment environment, LedgerFile ledger, DataSource dataSource,
				JdbcTemplate jdbc) {
			boolean holdsConnection = environment.getProperty("lab.holds-connection", Boolean.class, false);
			WorkHandler handler = new WorkHandler(ledger, holdsConnection ? dataSource : null, null);
			WorkHandler booking = new WorkHandler(ledger, null, new Effects(jdbc));
			String process = environment.getRequiredProperty("lab.process");
			String[] types = environment.getRequiredProperty("lab.types").split(",", -1);
			return (handlers) -> Arrays.stream(types).forEach((type) -> {
				if (type.equals(WorkerSpec.TRANSACTIONAL)) {
					handlers.add(type, Work.class, HandlerOptions.NONE.transactional(true), booking);
				}
				else if (type.equals(WorkerSpec.RETURNING)) {
					handlers.addReturning(type, Work.class, HandlerOptions.NONE, (work, context) -> {
						handler.run(work, context);
						return new Reporter(process, context.leaseToken());
					});
				}
				else {
					handlers.add(type, Work.class, handler);
				}
			});
		}

	}

}

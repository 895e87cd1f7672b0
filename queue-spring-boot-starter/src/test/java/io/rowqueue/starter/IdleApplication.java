package io.rowqueue.starter;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Scanner;
import java.util.concurrent.CountDownLatch;

import io.rowqueue.JobHandler;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application with the starter, its default settings and one handler. It runs a job
 * that somebody else enqueues, and has nothing to do after that. Each line of its input
 * is answered with what it holds then.
 */
public final class IdleApplication {

	private IdleApplication() {
	}

	/**
	 * Runs until its input ends.
	 * @param arguments properties, as of any Spring Boot application
	 * @throws InterruptedException if it is interrupted
	 */
	public static void main(String[] arguments) throws InterruptedException {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.properties("spring.main.banner-mode=off", "logging.level.root=warn")
			.run(arguments)) {
			print("started", context.getId());
			context.getBean(Notes.class).written.await();
			print("cpuMillis", ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis());
			Scanner lines = new Scanner(System.in, StandardCharsets.UTF_8);
			while (lines.hasNextLine()) {
				lines.nextLine();
				print("threads", threads());
				print("classes", ManagementFactory.getClassLoadingMXBean().getLoadedClassCount());
			}
		}
	}

	/** Without the threads of the JVM itself and the one that asks. */
	private static String threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread != Thread.currentThread() && thread.getThreadGroup() != null
					&& !thread.getThreadGroup().getName().equals("system"))
			.map(Thread::getName)
			.sorted()
			.toList()
			.toString();
	}

	private static void print(String name, Object value) {
		System.out.println(name + "=" + value);
		System.out.flush();
	}

	static final class Notes {

		private final CountDownLatch written = new CountDownLatch(1);

		@JobHandler("note")
		void write() {
			this.written.countDown();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Notes notes() {
			return new Notes();
		}

	}

}

package io.rowqueue.sample.cost;

import java.lang.management.ManagementFactory;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/**
 * An application that has what the sample has on its class path and does nothing. It
 * knows nothing of the queue, which need not be there.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class PlainApplication {

	/** Stands before the number of milliseconds from the start of the JVM. */
	static final String READY = "ready after ms: ";

	/**
	 * Starts the application and returns how long that took.
	 * @param args options; the first one may be {@code exit}
	 */
	public static void main(String[] args) {
		SpringApplication application = new SpringApplication(PlainApplication.class);
		application.addListeners((ApplicationListener<ApplicationReadyEvent>) (event) -> System.out
			.println(READY + (System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime())));
		var context = application.run(args);
		if (args.length > 0 && args[0].equals("exit")) {
			context.close();
		}
	}

}

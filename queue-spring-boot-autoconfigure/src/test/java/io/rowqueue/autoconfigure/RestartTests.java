package io.rowqueue.autoconfigure;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application that is restarted in the same JVM with its classes loaded anew, as
 * Spring Boot's DevTools do it: the queue's classes stay, and know nothing of the old
 * ones.
 */
class RestartTests {

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	private final List<Object> seen = new CopyOnWriteArrayList<>();

	@Test
	void aJobThatTheOldClassesEnqueuedIsRunByTheNewOnes() throws Exception {
		try (Restarted before = new Restarted(); ConfigurableApplicationContext context = start(before)) {
			context.getBean(Runnable.class).run();
		}
		assertThat(this.seen).isEmpty();
		this.database.execute("update rowqueue.job set run_at = now()");
		try (Restarted after = new Restarted(); ConfigurableApplicationContext context = start(after)) {
			await().until(() -> this.seen.size() == 1);
			assertThat(this.seen.get(0).toString()).isEqualTo("Parcel[label=to Ada]");
			assertThat(this.seen.get(0).getClass().getClassLoader()).isSameAs(after);
		}
	}

	@Test
	void noThreadOfTheQueueStaysWithTheOldClasses() throws Exception {
		try (Restarted classes = new Restarted()) {
			try (ConfigurableApplicationContext context = start(classes)) {
				context.getBean(Runnable.class).run();
				this.database.execute("update rowqueue.job set run_at = now()");
				await().until(() -> this.seen.size() == 1);
				assertThat(threads(classes)).as("while it runs").isNotEmpty();
			}
			await().until(() -> threads(classes).isEmpty());
		}
	}

	private static List<String> threads(ClassLoader classes) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getContextClassLoader() == classes && thread != Thread.currentThread())
			.map(Thread::getName)
			.filter((name) -> name.startsWith("rowqueue"))
			.toList();
	}

	private ConfigurableApplicationContext start(Restarted classes) throws Exception {
		Thread thread = Thread.currentThread();
		ClassLoader usual = thread.getContextClassLoader();
		thread.setContextClassLoader(classes);
		try {
			SpringApplication application = new SpringApplication(
					classes.loadClass("io.rowqueue.autoconfigure.restart.Depot"));
			application.setWebApplicationType(WebApplicationType.NONE);
			application.addInitializers((context) -> ((GenericApplicationContext) context).registerBean("seen",
					List.class, () -> this.seen));
			List<String> arguments = new ArrayList<>(List.of("--spring.liquibase.enabled=false"));
			for (String property : this.database.properties()) {
				arguments.add("--" + property);
			}
			return application.run(arguments.toArray(String[]::new));
		}
		finally {
			thread.setContextClassLoader(usual);
		}
	}

	/**
	 * Loads the application's classes itself, and leaves all others to the usual loader.
	 */
	private static final class Restarted extends URLClassLoader {

		Restarted() {
			super(new URL[] { RestartTests.class.getProtectionDomain().getCodeSource().getLocation() },
					RestartTests.class.getClassLoader());
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			synchronized (getClassLoadingLock(name)) {
				if (!name.startsWith("io.rowqueue.autoconfigure.restart.")) {
					return super.loadClass(name, resolve);
				}
				Class<?> loaded = findLoadedClass(name);
				return (loaded != null) ? loaded : findClass(name);
			}
		}

	}

}

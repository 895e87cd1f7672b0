package io.rowqueue.autoconfigure.worker;

import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

import io.rowqueue.HandlerOptions;
import io.rowqueue.JobHandler;
import io.rowqueue.JobHandlers;
import io.rowqueue.JobQueue;
import io.rowqueue.JobState;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.Verdict;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.window.Window;
import io.rowqueue.window.WindowStatus;
import io.rowqueue.window.Windows;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** Types that are bound to a window by their handlers. */
class WindowsOfHandlersTests {

	/** Opens in two hours, for one. */
	private static final String LATER = "rowqueue.windows.later.times=" + hours(2) + "-" + hours(3);

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	private final ApplicationContextRunner application = Applications.on(this.database);

	@Test
	void theirJobsWaitForItFromTheFirstStartOn() {
		this.application.withPropertyValues("rowqueue.worker.enabled=false").run((context) -> {
			context.getBean(JobQueue.class).enqueue("rebuild", null);
			context.getBean(JobQueue.class).enqueue("other", null);
		});
		this.application.withBean(Rebuild.class).withPropertyValues(LATER, "rebuild.window=later").run((context) -> {
			Awaitility.await().until(() -> this.database.count("select count(*) from rowqueue.job_finished") == 1);
			long waiting = this.database.count("select id from rowqueue.job");
			JobAdmin admin = context.getBean(JobAdmin.class);
			assertThat(admin.explain(waiting).verdict()).isEqualTo(Verdict.WINDOW_CLOSED);
			assertThat(admin.explain(waiting).summary()).contains("type 'rebuild'", "window 'later'");
			assertThat(status(context.getBean(Windows.class)).handlerTypes()).containsExactly("rebuild");
		});
	}

	@Test
	void propertiesTakePrecedenceOverTheAnnotationAndCode() {
		this.application.withBean(Rebuild.class)
			.withBean(JobHandlers.Registrar.class, () -> (handlers) -> handlers.add("coded", String.class,
					HandlerOptions.NONE.window("later"), (payload, context) -> {
					}))
			.withPropertyValues(LATER, "rowqueue.windows.day.times=00:00-24:00", "rowqueue.types.rebuild.window=day")
			.run((context) -> {
				Windows windows = context.getBean(Windows.class);
				assertThat(windows.find("day").orElseThrow().handlerTypes()).containsExactly("rebuild");
				assertThat(windows.find("later").orElseThrow().handlerTypes()).containsExactly("coded");
			});
	}

	@Test
	void oneThatNoLongerNamesItRunsAtAnyTime() {
		this.application.withBean(Rebuild.class)
			.withPropertyValues(LATER, "rebuild.window=later")
			.run((context) -> assertThat(status(context.getBean(Windows.class)).handlerTypes()).hasSize(1));
		this.application.withBean(Rebuild.class).run((context) -> {
			assertThat(status(context.getBean(Windows.class)).handlerTypes()).isEmpty();
			long id = context.getBean(JobQueue.class).enqueue("rebuild", null).id();
			Awaitility.await()
				.until(() -> context.getBean(JobQueue.class).find(id).orElseThrow().state() == JobState.SUCCEEDED);
		});
	}

	@Test
	void oneOfTheDatabaseCanBeNamed() {
		this.application
			.run((context) -> context.getBean(Windows.class).put(Window.of("later", "UTC", hours(2) + "-" + hours(3))));
		this.application.withBean(Rebuild.class)
			.withPropertyValues("rebuild.window=later")
			.run((context) -> assertThat(status(context.getBean(Windows.class)).handlerTypes())
				.containsExactly("rebuild"));
	}

	@Test
	void oneThatIsWrongIsNamedAsInAFile() {
		this.application.withPropertyValues("rowqueue.windows[at.night].times=late")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageStartingWith("rowqueue.windows[at.night]."));
	}

	@Test
	void anUnknownWindowFailsTheStartWithTheKnownOnes() {
		this.application.withBean("indexes", Rebuild.class)
			.withPropertyValues(LATER, "rowqueue.windows.night.times=23:00-06:00", "rebuild.window=nightly")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining(
						"Rebuild.rebuild() of bean 'indexes' names the window 'nightly', which does not exist:"
								+ " there are later, night")
				.hasMessageContaining("rowqueue.windows.nightly.times"));
		this.application.withBean(Rebuild.class)
			.withPropertyValues("rebuild.window=late.night")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("there are no windows")
				.hasMessageContaining("rowqueue.windows[late.night].times"));
	}

	private static WindowStatus status(Windows windows) {
		return windows.find("later").orElseThrow();
	}

	private static String hours(int ahead) {
		return LocalTime.now(ZoneOffset.UTC).plusHours(ahead).format(DateTimeFormatter.ofPattern("HH:mm"));
	}

	static class Rebuild {

		@JobHandler(value = "rebuild", window = "${rebuild.window:}")
		void rebuild() {
		}

		@JobHandler("other")
		void other() {
		}

	}

}

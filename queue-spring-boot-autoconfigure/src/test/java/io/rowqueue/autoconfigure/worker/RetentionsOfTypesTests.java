package io.rowqueue.autoconfigure.worker;

import java.time.Duration;

import io.rowqueue.HandlerOptions;
import io.rowqueue.JobHandler;
import io.rowqueue.JobHandlers;
import io.rowqueue.JobType;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** How long jobs of single types are kept, as handlers, types and properties declare. */
class RetentionsOfTypesTests {

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	private final ApplicationContextRunner application = Applications.on(this.database);

	@Test
	void areStoredWhenAnApplicationStartsThatRunsJobs() {
		this.application.withBean(Handlers.class)
			.withBean("audit", JobType.class, () -> JobType.of("audit", String.class).retention(Duration.ofDays(9)))
			.withBean("plain", JobType.class, () -> JobType.of("plain", String.class))
			.withBean(JobHandlers.Registrar.class, () -> (handlers) -> handlers.add("coded", String.class,
					HandlerOptions.NONE.retention(Duration.ofHours(5)), (payload, context) -> {
					}))
			.run((context) -> assertThat(stored()).isEqualTo("audit=216h coded=5h mail=1h report=48h"));
	}

	@Test
	void propertiesTakePrecedence() {
		this.application.withBean(Handlers.class)
			.withPropertyValues("rowqueue.types.mail.retention=3")
			.run((context) -> assertThat(stored()).isEqualTo("mail=72h report=48h"));
	}

	@Test
	void anApplicationRemovesThoseOfItsHandlersOnly() {
		this.application.withBean(Handlers.class).run((context) -> {
		});
		this.application.withBean(JobHandlers.Registrar.class,
				() -> (handlers) -> handlers.add("mail", String.class, HandlerOptions.NONE, (payload, context) -> {
				}))
			.run((context) -> assertThat(stored()).isEqualTo("report=48h"));
	}

	@Test
	void aWrongOneStopsTheStart() {
		this.application.withBean(Wrong.class)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("has an invalid retention: 'soon'"));
		this.application.withBean(Handlers.class)
			.withPropertyValues("rowqueue.types.mail.retention=-1d")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("rowqueue.types.mail.retention must be from 0 to 365000 days"));
	}

	private String stored() {
		return this.database.query("select string_agg(type || '=' || extract(epoch from age)::int / 3600 || 'h', ' '"
				+ " order by type) from rowqueue.type_retention", String.class);
	}

	static class Handlers {

		@JobHandler(value = "mail", retention = "1h")
		void mail() {
		}

		@JobHandler(value = "report", retention = "${report.retention:2}")
		void report() {
		}

		@JobHandler("other")
		void other() {
		}

	}

	static class Wrong {

		@JobHandler(value = "mail", retention = "soon")
		void mail() {
		}

	}

}

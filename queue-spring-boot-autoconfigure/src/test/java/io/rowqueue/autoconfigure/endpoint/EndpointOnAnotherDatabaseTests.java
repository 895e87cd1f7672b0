package io.rowqueue.autoconfigure.endpoint;

import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.FailedStartTests.OnH2;
import io.rowqueue.autoconfigure.admin.CommandResult;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** The queue is off, since the application's database is not PostgreSQL. */
class EndpointOnAnotherDatabaseTests {

	private final ApplicationContextRunner application = Applications.withStarter()
		.withUserConfiguration(OnH2.class)
		.withPropertyValues("management.endpoints.web.exposure.include=rowqueue");

	@Test
	void aReadAnswersWhyTheQueueIsOff() {
		this.application.run((context) -> {
			WebEndpointResponse<Object> answer = context.getBean(QueueEndpointWebExtension.class)
				.overview(SecurityContext.NONE, null);

			assertThat(answer.getStatus()).isEqualTo(503);
			assertThat(answer.getBody()).isInstanceOfSatisfying(CommandResult.class,
					(result) -> assertThat(result.message()).contains("The job queue is off", "connects to H2"));
		});
	}

	@Test
	void anOperationAnswersWhyTheQueueIsOff() {
		this.application.run((context) -> {
			WebEndpointResponse<CommandResult> answer = context.getBean(QueueEndpointWebExtension.class)
				.operate(SecurityContext.NONE, "queues", "mail", "pause", "broken", null);

			assertThat(answer.getStatus()).isEqualTo(503);
			assertThat(answer.getBody().message()).contains("The job queue is off");
		});
	}

	@Test
	void infoHasTheVersionOfTheLibraryAndStatesThatTheQueueIsOff() {
		this.application.withPropertyValues("management.info.rowqueue.enabled=true").run((context) -> {
			Info.Builder info = new Info.Builder();

			context.getBean(QueueInfoContributor.class).contribute(info);

			assertThat(info.build().getDetails().get("rowqueue")).asString()
				.contains("version=", "library=", "installed=unknown: the job queue is off");
		});
	}

}

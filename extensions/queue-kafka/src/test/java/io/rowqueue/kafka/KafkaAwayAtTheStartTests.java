package io.rowqueue.kafka;

import java.time.Duration;

import io.rowqueue.JobQueue;
import io.rowqueue.devkafka.DevKafka;
import io.rowqueue.kafka.KafkaRunTests.Application;
import io.rowqueue.kafka.KafkaRunTests.Push;
import io.rowqueue.kafka.KafkaRunTests.PushHandler;
import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Tag("thorough")
class KafkaAwayAtTheStartTests {

	@Test
	void theApplicationStartsAndItsJobsRunWhenKafkaAnswers() {
		Database database = DevPostgres.shared().createDatabase("kafka");
		try (DevKafka kafka = DevKafka.start(1, TestBroker.SETTINGS)) {
			kafka.broker().kill();
			try (ConfigurableApplicationContext application = start(database, kafka)) {
				long id = application.getBean(JobQueue.class).enqueue("push", new Push(1, false)).id();
				assertThat(application.getBean(JdbcTemplate.class)
					.queryForList("select id from rowqueue.outbox", Long.class)).containsExactly(id);
				kafka.broker().start();
				PushHandler handler = application.getBean(PushHandler.class);
				await().atMost(Duration.ofMinutes(2)).until(() -> handler.hasSucceeded(id));
			}
		}
	}

	private static ConfigurableApplicationContext start(Database database, DevKafka kafka) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run("--spring.datasource.url=" + database.url(), "--spring.datasource.username=" + database.username(),
					"--spring.datasource.password=" + database.password(),
					"--spring.kafka.bootstrap-servers=" + kafka.bootstrapServers(), "--rowqueue.kafka.types=push");
	}

}

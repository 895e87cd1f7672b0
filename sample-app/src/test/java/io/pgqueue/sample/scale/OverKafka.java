package io.pgqueue.sample.scale;

import io.pgqueue.devkafka.DevKafka;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Lets Kafka carry the mails and webhooks of a test class. */
interface OverKafka {

	@DynamicPropertySource
	static void kafka(DynamicPropertyRegistry properties) {
		properties.add("spring.kafka.bootstrap-servers", () -> DevKafka.shared().bootstrapServers());
		properties.add("pgqueue.kafka.types", () -> "welcome-mail,webhook");
	}

}

package io.rowqueue.sample.scale;

import io.rowqueue.devkafka.DevKafka;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Lets Kafka carry the mails and webhooks of a test class. */
interface OverKafka {

	@DynamicPropertySource
	static void kafka(DynamicPropertyRegistry properties) {
		properties.add("spring.kafka.bootstrap-servers", () -> DevKafka.shared().bootstrapServers());
		properties.add("rowqueue.kafka.types", () -> "welcome-mail,webhook");
	}

}

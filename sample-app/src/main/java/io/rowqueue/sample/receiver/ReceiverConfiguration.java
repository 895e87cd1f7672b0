package io.rowqueue.sample.receiver;

import java.util.concurrent.ThreadLocalRandom;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ReceiverConfiguration {

	@Bean
	Outage outage(@Value("${sample.receiver.failure-rate}") double failureRate) {
		return (webhookId) -> ThreadLocalRandom.current().nextDouble() < failureRate;
	}

}

package io.rowqueue.sample.receiver;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** Lets the receiver refuse every webhook twice. */
@TestConfiguration(proxyBeanMethods = false)
public class OutOfOrderTwice {

	@Bean
	@Primary
	Outage outOfOrderTwice() {
		Map<String, Integer> deliveries = new ConcurrentHashMap<>();
		return (webhookId) -> deliveries.merge(webhookId, 1, Integer::sum) <= 2;
	}

}

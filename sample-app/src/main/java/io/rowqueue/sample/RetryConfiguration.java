package io.rowqueue.sample;

import java.time.Duration;

import io.rowqueue.RetryPolicy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class RetryConfiguration {

	/** Retries after one second, two, four, and so on, minus a random part. */
	@Bean
	RetryPolicy retryPolicy() {
		return RetryPolicy.exponential(Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0.5);
	}

}

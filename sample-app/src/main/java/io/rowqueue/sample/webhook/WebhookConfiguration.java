package io.rowqueue.sample.webhook;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class WebhookConfiguration {

	@Bean
	WebhookSignature webhookSignature(WebhookProperties properties) {
		return WebhookSignature.ofSecret(properties.secret());
	}

}

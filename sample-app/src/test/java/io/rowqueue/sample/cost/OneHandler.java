package io.rowqueue.sample.cost;

import io.rowqueue.JobHandler;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes a {@link PlainApplication} one that runs jobs. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "io.rowqueue.JobHandler")
class OneHandler {

	@Bean
	Nothing nothing() {
		return new Nothing();
	}

	static class Nothing {

		@JobHandler("nothing")
		void run() {
		}

	}

}

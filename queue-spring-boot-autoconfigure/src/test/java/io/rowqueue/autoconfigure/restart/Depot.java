package io.rowqueue.autoconfigure.restart;

import java.time.Duration;
import java.util.List;

import io.rowqueue.JobHandler;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application whose classes a test loads anew. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class Depot {

	@Bean
	Parcels parcels(@Qualifier("seen") List<Object> seen) {
		return new Parcels(seen);
	}

	/** For a test that cannot name the classes of this application. */
	@Bean
	Runnable send(JobQueue queue) {
		return () -> queue
			.enqueue(JobRequest.of("parcel", new Parcel("to Ada")).delay(Duration.ofHours(1)).uniqueKey("one"));
	}

	record Parcel(String label) {

	}

	static class Parcels {

		private final List<Object> seen;

		Parcels(List<Object> seen) {
			this.seen = seen;
		}

		@JobHandler("parcel")
		void deliver(Parcel parcel) {
			this.seen.add(parcel);
		}

	}

}

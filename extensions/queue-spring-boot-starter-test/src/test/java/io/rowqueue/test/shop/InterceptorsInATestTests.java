package io.rowqueue.test.shop;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.rowqueue.Job;
import io.rowqueue.JobContext;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.listen.AttemptScope;
import io.rowqueue.listen.JobInterceptor;
import io.rowqueue.test.QueueTester;
import io.rowqueue.test.autoconfigure.QueueTest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/** What surrounds attempts in production surrounds them in a test. */
@QueueTest(Printer.class)
class InterceptorsInATestTests implements OnDevPostgres {

	@Autowired
	JobQueue queue;

	@Autowired
	QueueTester tester;

	@Autowired
	Tenants tenants;

	@BeforeEach
	void forget() {
		this.tenants.seen.clear();
	}

	@Test
	void scopesAndInterceptorsSurroundTheHandler() {
		this.queue.enqueue(JobRequest.of("print", 1).header("tenant", "acme"));

		assertThat(this.tester.runDue()).extracting(Job::state).containsExactly(JobState.SUCCEEDED);

		assertThat(this.tenants.seen).containsExactly("scope of acme", "before acme", "after acme", "end of acme");
	}

	@Test
	void anInterceptorFailsTheAttempt() {
		this.queue.enqueue("print", 1);

		this.tester.runDue();

		assertThat(this.tester).hasJob("print").hasAttempts(1).hasLastErrorContaining("The job has no tenant");
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Surroundings {

		@Bean
		Tenants tenants() {
			return new Tenants();
		}

	}

	/** Runs each job for the tenant that a header names. */
	static class Tenants implements AttemptScope, JobInterceptor {

		private final List<String> seen = new ArrayList<>();

		@Override
		public Opened open(JobContext job, Map<String, String> headers) {
			this.seen.add("scope of " + headers.get("tenant"));
			return () -> this.seen.add("end of " + headers.get("tenant"));
		}

		@Override
		public <T extends @Nullable Object> T run(JobContext job, Map<String, String> headers, Attempt<T> attempt)
				throws Exception {
			String tenant = headers.get("tenant");
			if (tenant == null) {
				throw new IllegalStateException("The job has no tenant");
			}
			this.seen.add("before " + tenant);
			T result = attempt.run();
			this.seen.add("after " + tenant);
			return result;
		}

	}

}

package io.rowqueue.test.shop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.rowqueue.Job;
import io.rowqueue.JobHandlers;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.step.SignalResult;
import io.rowqueue.test.QueueTester;
import io.rowqueue.test.autoconfigure.QueueTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;

/** A test sends signals, and lets the time of waits and holds pass. */
@QueueTest
@Import(WaitsInATestTests.Handlers.class)
class WaitsInATestTests implements OnDevPostgres {

	@Autowired
	JobQueue queue;

	@Autowired
	QueueTester tester;

	@Autowired
	List<String> done;

	@MockitoBean
	Mailer mailer;

	@Test
	void aSignalAndTheTimeResumeAHandler() {
		runs();
	}

	@Test
	@Transactional(propagation = Propagation.NOT_SUPPORTED)
	void aHandlerThatIsCommittedLikewise() {
		runs();
		this.tester.clear();
	}

	private void runs() {
		this.done.clear();
		this.queue.enqueue(JobRequest.of("approval", 7).uniqueKey("order 7"));
		assertThat(this.tester.runDue()).extracting(Job::state).containsExactly(JobState.SCHEDULED);
		assertThat(this.tester.runDue()).isEmpty();
		assertThat(this.queue.signal("order 7", "decision", "yes")).isEqualTo(SignalResult.STORED);
		assertThat(this.tester.runDue()).extracting(Job::state).containsExactly(JobState.SCHEDULED);
		assertThat(this.done).containsExactly("asked", "yes");
		this.tester.advance(Duration.ofDays(14));
		assertThat(this.tester.runDue()).extracting(Job::state).containsExactly(JobState.SUCCEEDED);
		assertThat(this.done).containsExactly("asked", "yes", "survey");
	}

	@Test
	void aSignalThatDoesNotComeTimesOut() {
		this.done.clear();
		this.queue.enqueue("approval", 8);
		this.tester.runDue();
		this.tester.advance(Duration.ofDays(3));
		this.tester.runDue();
		assertThat(this.done).containsExactly("asked", "nobody");
	}

	@Test
	void aHandlerContinuesAfterTheJobsThatItWaitsFor() {
		this.done.clear();
		this.queue.enqueue("parent", 1);
		assertThat(this.tester.runDue()).extracting(Job::state).contains(JobState.SUCCEEDED);
		assertThat(this.done).containsExactly("a child", "SUCCEEDED");
		this.queue.enqueue("parent", 2);
		this.tester.runDue();
		this.tester.advance(Duration.ofHours(1));
		this.tester.runDue();
		assertThat(this.done).as("the child is due in a day").endsWith("SCHEDULED");
	}

	@Test
	void aHoldEndsWithTheTimeOfTheQueue() {
		this.done.clear();
		this.queue.enqueue("call", "hold");
		this.tester.runDue();
		this.queue.enqueue("call", "fine");
		assertThat(this.tester.runDue()).isEmpty();
		this.tester.advance(Duration.ofMinutes(5));
		this.tester.runDue();
		assertThat(this.done).contains("fine");
	}

	@Test
	@Transactional(propagation = Propagation.NOT_SUPPORTED)
	void aHoldOfACommittedTestIsReleasedWithItsJobs() {
		this.done.clear();
		this.queue.enqueue("call", "hold");
		this.tester.runDue();
		this.tester.clear();
		this.queue.enqueue("call", "fine");
		assertThat(this.tester.runDue()).hasSize(1);
		this.tester.clear();
	}

	@Test
	void jobsWithAFairnessKeyAreRun() {
		this.done.clear();
		this.queue.enqueue(JobRequest.of("call", "fine").fairnessKey("tenant:42"));
		this.tester.runDue();
		assertThat(this.done).containsExactly("fine");
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Handlers {

		@Bean
		List<String> done() {
			return new ArrayList<>();
		}

		@Bean
		JobHandlers.Registrar waitingHandlers(List<String> done, ObjectProvider<JobQueue> queue) {
			return (handlers) -> handlers.add("approval", Integer.class, (order, context) -> {
				context.step("ask", () -> done.add("asked"));
				String decision = context.awaitSignal("decision", String.class, Duration.ofDays(3)).orElse("nobody");
				context.step("note", () -> done.add(decision));
				context.sleep("before the survey", Duration.ofDays(14));
				context.step("survey", () -> done.add("survey"));
			}).add("parent", Integer.class, (days, context) -> {
				Long child = context.step("child",
						() -> queue.getObject()
							.enqueue(JobRequest.of("call", "a child").delay(Duration.ofDays(days - 1)))
							.id(),
						Long.class);
				context.awaitJobs("child", Duration.ofHours(1), child)
					.forEach((outcome) -> done.add(String.valueOf(outcome.state())));
			}).add("call", String.class, (payload, context) -> {
				if (payload.equals("hold") && done.isEmpty()) {
					done.add("held");
					throw SnoozeJobException.by(Duration.ofMinutes(5), "429").holding(LimitKind.TYPE);
				}
				done.add(payload);
			});
		}

	}

}

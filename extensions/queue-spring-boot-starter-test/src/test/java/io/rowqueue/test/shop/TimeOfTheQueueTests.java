package io.rowqueue.test.shop;

import java.time.Duration;
import java.time.Instant;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.Job;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.control.CancelResult;
import io.rowqueue.test.QueueTester;
import io.rowqueue.test.autoconfigure.QueueTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** A test moves the time of jobs that wait, and no clock. */
@QueueTest(Printer.class)
class TimeOfTheQueueTests implements OnDevPostgres {

	private static final Duration HOUR = Duration.ofHours(1);

	@Autowired
	JobQueue queue;

	@Autowired
	JobAdmin admin;

	@Autowired
	JdbcClient db;

	@Autowired
	QueueTester tester;

	@Test
	void jobsWereEnqueuedAndAreDueEarlier() {
		long id = this.queue.enqueue(JobRequest.of("print", 1).delay(HOUR.multipliedBy(2)).tolerance(HOUR)).id();
		Job before = this.queue.find(id).orElseThrow();

		this.tester.advance(HOUR);

		Job after = this.queue.find(id).orElseThrow();
		assertThat(after.runAt()).isEqualTo(before.runAt().minus(HOUR));
		assertThat(after.createdAt()).isEqualTo(before.createdAt().minus(HOUR));
		assertThat(after.state()).isEqualTo(JobState.SCHEDULED);
		assertThat(this.tester).hasJob("print").hasDelay(HOUR.multipliedBy(2));
	}

	@Test
	void theOrderOfJobsStays() {
		this.queue.enqueue(JobRequest.of("print", 1).delay(HOUR).tolerance(HOUR));
		this.queue.enqueue(JobRequest.of("print", 2).delay(HOUR));

		this.tester.advance(HOUR);

		assertThat(this.tester.runDue()).extracting(Job::payload).containsExactly("2", "1");
	}

	@Test
	void aKeyThatASuccessKeepsIsFreeAgain() {
		JobRequest daily = JobRequest.of("print", 1).uniqueKey("daily").uniqueFor(Duration.ofDays(1));
		this.queue.enqueue(daily);
		this.tester.runDue();
		assertThat(this.queue.enqueue(daily).outcome()).isEqualTo(Outcome.DONE);

		this.tester.advance(Duration.ofDays(1));

		assertThat(this.queue.enqueue(daily).outcome()).isEqualTo(Outcome.CREATED);
	}

	@Test
	void aJobExpiresIfItHasNotBegun() {
		long id = this.queue.enqueue(JobRequest.of("print", 1).expiresIn(HOUR)).id();

		this.tester.advance(HOUR);
		this.tester.runDue();

		assertThat(this.queue.find(id).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
		assertThat(this.queue.find(id).orElseThrow().lastError()).contains("expired");
	}

	@Test
	void aDebouncedJobIsDueAfterItsLongestWait() {
		JobRequest request = JobRequest.of("print", 1).uniqueKey("page").debounce(HOUR, HOUR.multipliedBy(3));
		this.queue.enqueue(request);
		for (int i = 0; i < 5; i++) {
			this.tester.advance(HOUR.minusMinutes(1));
			assertThat(this.queue.enqueue(request).outcome()).isEqualTo(Outcome.REPLACED);
		}
		assertThat(this.tester.runDue()).hasSize(1);
	}

	@Test
	void aJobIsChangedByItsKeyInTheTransactionOfTheTest() {
		this.queue.enqueue(JobRequest.of("print", 1).delay(HOUR).uniqueKey("page"));
		assertThat(this.admin.job("page").replacePayload(2)).isTrue();
		assertThat(this.admin.job("page").reschedule(Duration.ZERO)).isTrue();
		assertThat(this.tester.runDue()).extracting(Job::payload).containsExactly("2");
		this.queue.enqueue(JobRequest.of("print", 3).delay(HOUR).uniqueKey("page"));
		assertThat(this.admin.job("page").cancel()).isEqualTo(CancelResult.CANCELLED);
		assertThat(this.tester.jobs("print")).hasSize(2);
	}

	@Test
	void whatIsEnqueuedAfterwardsCountsFromTheRealTime() {
		this.tester.advance(Duration.ofDays(1000));
		this.queue.enqueue(JobRequest.of("print", 1).delay(HOUR));

		assertThat(this.tester).hasJob("print").hasDelay(HOUR).hasState(JobState.SCHEDULED);
		assertThat(this.queue.find(this.tester.jobs().get(0).id()).orElseThrow().createdAt())
			.isBefore(Instant.now().plus(HOUR));
	}

	@Test
	void aJobBehindAnotherWithItsKeyIsRunAfterIt() {
		JobRequest report = JobRequest.of("print", 1).uniqueKey("report");
		long first = this.queue.enqueue(report).id();
		this.db.sql("update rowqueue.job set state = 'running', worker_id = 0 where id = ?").param(first).update();
		assertThat(this.queue.enqueue(report.duplicates(DuplicatePolicy.runAgain())).outcome())
			.isEqualTo(Outcome.FOLLOW_UP);
		assertThat(this.tester.runDue()).isEmpty();

		this.db.sql("update rowqueue.job set state = 'queued', worker_id = null where id = ?").param(first).update();

		assertThat(this.tester.runDue()).hasSize(2);
	}

	@Test
	void itGoesForwardOnly() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.tester.advance(Duration.ofSeconds(-1)));
	}

}

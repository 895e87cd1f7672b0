package io.rowqueue.test.shop;

import java.util.List;
import java.util.stream.Stream;

import io.rowqueue.Job;
import io.rowqueue.JobContext;
import io.rowqueue.JobHandler;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.flow.Batch;
import io.rowqueue.flow.Flow;
import io.rowqueue.flow.FlowResult;
import io.rowqueue.test.QueueTester;
import io.rowqueue.test.autoconfigure.QueueTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willThrow;

/** Jobs that run after others are run in a test as they are released. */
@QueueTest
@Import({ Orders.class, FlowsInATestTests.Splitter.class })
class FlowsInATestTests implements OnDevPostgres {

	@Autowired
	Orders orders;

	@Autowired
	JobQueue queue;

	@Autowired
	QueueTester tester;

	@MockitoBean
	Mailer mailer;

	@Test
	void aFlowIsRunInItsOrder() {
		runsInOrder();
	}

	@Test
	@Transactional(propagation = Propagation.NOT_SUPPORTED)
	void aFlowThatIsCommittedLikewise() {
		runsInOrder();
		this.tester.clear();
	}

	private void runsInOrder() {
		FlowResult flow = this.queue.enqueue(Flow.named("order")
			.job("last", JobRequest.of("reminder", 3))
			.after("second")
			.job("first", mail(1))
			.job("second", mail(2))
			.after("first"));
		assertThat(this.queue.find(flow.jobId("last")).orElseThrow().state()).isEqualTo(JobState.BLOCKED);
		assertThat(this.tester.runDue()).extracting(Job::id)
			.containsExactly(flow.jobId("first"), flow.jobId("second"), flow.jobId("last"));
	}

	@Test
	void aJobFailsWithTheOneBeforeIt() {
		willThrow(new IllegalStateException("no mail today")).given(this.mailer).send(any(), any());
		long first = this.queue.enqueue(mail(1).maxAttempts(1)).id();
		long second = this.queue.enqueue(mail(2).after(first)).id();
		assertThat(this.tester.runDue()).extracting(Job::id).containsExactly(first);
		assertThat(this.queue.find(second).orElseThrow().state()).isEqualTo(JobState.FAILED);
	}

	@Test
	void whatAJobAddsToItsFlowIsRunBeforeWhatWaitsForIt() {
		FlowResult flow = this.queue.enqueue(Flow.named("order")
			.job("split", JobRequest.of("split", 2))
			.job("last", JobRequest.of("reminder", 3))
			.after("split"));
		List<Job> run = this.tester.runDue();
		assertThat(run).extracting(Job::type).containsExactly("split", "order-mail", "order-mail", "reminder");
		assertThat(run.get(3).id()).isEqualTo(flow.jobId("last"));
	}

	@Test
	void aBatchEndsWithItsCallback() {
		long batch = this.queue.enqueueBatch(Batch.named("mails").onFinish(JobRequest.of("reminder", 1)),
				Stream.of(mail(1), mail(2)));
		List<Job> run = this.tester.runDue();
		assertThat(run).extracting(Job::type).containsExactly("order-mail", "order-mail", "reminder");
		assertThat(this.queue.findBatch(batch).orElseThrow().isFinished()).isTrue();
	}

	private static JobRequest mail(long order) {
		return JobRequest.of("order-mail", new Orders.Mail(order, "ada@example.org"));
	}

	static class Splitter {

		private final JobQueue queue;

		Splitter(JobQueue queue) {
			this.queue = queue;
		}

		@JobHandler("split")
		void split(int parts, JobContext job) {
			Flow more = Flow.addedBy(job).beforeSuccessors();
			for (int i = 0; i < parts; i++) {
				more.job("part " + i, mail(i));
			}
			this.queue.enqueue(more);
		}

	}

}

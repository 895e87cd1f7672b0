package io.pgqueue.autoconfigure.disabled;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.pgqueue.EnqueueResult;
import io.pgqueue.EnqueueResult.Outcome;
import io.pgqueue.Job;
import io.pgqueue.JobQueue;
import io.pgqueue.JobQueueException;
import io.pgqueue.JobRequest;
import io.pgqueue.JobState;
import io.pgqueue.PayloadConversionException;
import io.pgqueue.autoconfigure.Applications;
import io.pgqueue.engine.codec.JacksonPayloadCodec;
import io.pgqueue.flow.Batch;
import io.pgqueue.flow.Flow;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RecordingJobQueueTests {

	private final RecordingJobQueue queue = new RecordingJobQueue(new JacksonPayloadCodec(JsonMapper.shared()));

	record Mail(String to) {

	}

	@Test
	void aPropertyReplacesTheQueueThatRejectsEachCall() {
		new ApplicationContextRunner().withUserConfiguration(Applications.queue())
			.withPropertyValues("pgqueue.enabled=false", "pgqueue.disabled-mode=record")
			.run((context) -> assertThat(context).hasSingleBean(JobQueue.class).hasSingleBean(RecordingJobQueue.class));
	}

	@Test
	void jobsAreRecordedInTheOrderOfTheirEnqueues() {
		JobRequest mail = JobRequest.of("mail", new Mail("ada"));
		JobRequest later = JobRequest.of("mail", new Mail("bob")).delay(Duration.ofDays(1)).queue("slow");

		this.queue.enqueueAll(List.of(mail, later));

		assertThat(this.queue.requests()).containsExactly(mail, later);
		this.queue.clear();
		assertThat(this.queue.requests()).isEmpty();
	}

	@Test
	void aRecordedJobIsFound() {
		EnqueueResult result = this.queue.enqueue(JobRequest.of("mail", new Mail("ada")).delay(Duration.ofDays(1)));

		Job job = this.queue.find(result.id()).orElseThrow();

		assertThat(result.outcome()).isEqualTo(Outcome.CREATED);
		assertThat(job.type()).isEqualTo("mail");
		assertThat(job.state()).isEqualTo(JobState.SCHEDULED);
		assertThat(job.payload()).contains("\"ada\"");
		assertThat(this.queue.find(result.id() + 1)).isEmpty();
	}

	@Test
	void aUniqueKeyIsTakenOnce() {
		EnqueueResult first = this.queue.enqueue(JobRequest.of("mail").uniqueKey("ada"));
		EnqueueResult second = this.queue.enqueue(JobRequest.of("mail").uniqueKey("ada"));

		assertThat(second).isEqualTo(new EnqueueResult(first.id(), Outcome.KEPT));
		assertThat(this.queue.requests()).hasSize(1);
	}

	@Test
	void jobsOfFlowsAndBatchesAreRecorded() {
		this.queue.enqueue(Flow.named("order").job("pay", JobRequest.of("pay")).job("ship", JobRequest.of("ship")));
		long batch = this.queue.enqueueBatch(Batch.named("mails"), Stream.of(JobRequest.of("mail")));
		this.queue.addToBatch(batch, Stream.of(JobRequest.of("mail")));

		assertThat(this.queue.requests()).extracting(JobRequest::type).containsExactly("pay", "ship", "mail", "mail");
	}

	@Test
	void aJobOfATransactionThatIsRolledBackIsForgotten() {
		TransactionTemplate transaction = new TransactionTemplate(new WithoutResource());
		transaction.executeWithoutResult((status) -> {
			this.queue.enqueue("mail", new Mail("rolled back"));
			assertThat(this.queue.requests()).hasSize(1);
			status.setRollbackOnly();
		});
		assertThat(this.queue.requests()).isEmpty();
		transaction.executeWithoutResult((status) -> this.queue.enqueue("mail", new Mail("committed")));
		assertThat(this.queue.requests()).hasSize(1);
	}

	@Test
	void aPayloadThatCannotBeStoredIsRejected() {
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> this.queue.enqueue("mail", new Unreadable()));
	}

	@Test
	void onlyTheLatestJobsAreKept() {
		this.queue.enqueueAll(LongStream.rangeClosed(0, RecordingJobQueue.MAX_JOBS)
			.mapToObj((number) -> JobRequest.of("mail", number)));

		assertThat(this.queue.requests()).hasSize(RecordingJobQueue.MAX_JOBS)
			.extracting(JobRequest::payload)
			.startsWith(1L);
	}

	@Test
	void aJobIsNotAwaited() {
		assertThatExceptionOfType(JobQueueException.class).isThrownBy(() -> this.queue.await(1, Duration.ofSeconds(1)))
			.withMessageContaining("never finishes");
	}

	static final class Unreadable {

		public String getText() {
			throw new IllegalStateException("no text");
		}

	}

	/** Has transactions and no resource. */
	private static final class WithoutResource extends AbstractPlatformTransactionManager {

		@Override
		protected Object doGetTransaction() {
			return new Object();
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

}

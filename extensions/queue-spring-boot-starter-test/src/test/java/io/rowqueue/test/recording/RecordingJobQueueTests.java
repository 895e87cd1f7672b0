package io.rowqueue.test.recording;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.rowqueue.DuplicateJobException;
import io.rowqueue.DuplicatePolicy;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.EnqueueResult;
import io.rowqueue.Job;
import io.rowqueue.JobQueue;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.PayloadConversionException;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.autoconfigure.disabled.QueueDisabledAutoConfiguration;
import io.rowqueue.control.CancelResult;
import io.rowqueue.control.JobReference;
import io.rowqueue.engine.codec.JacksonPayloadCodec;
import io.rowqueue.flow.Batch;
import io.rowqueue.flow.Flow;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RecordingJobQueueTests {

	private final RecordingJobQueue queue = new RecordingJobQueue(new JacksonPayloadCodec(JsonMapper.shared()));

	record Mail(String to) {

	}

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(QueueDisabledAutoConfiguration.class, RecordingQueueAutoConfiguration.class))
		.withPropertyValues("rowqueue.enabled=false");

	@Test
	void itReplacesTheQueueThatRejectsEachCall() {
		this.application
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

		EnqueueResult third = this.queue.enqueue(JobRequest.of("mail", new Mail("ada")).uniqueByPayload());
		EnqueueResult fourth = this.queue.enqueue(JobRequest.of("mail", Map.of("to", "ada")).uniqueByPayload());
		assertThat(third.created()).isTrue();
		assertThat(fourth).isEqualTo(new EnqueueResult(third.id(), Outcome.KEPT));
	}

	@Test
	void thePolicyForDuplicatesReplacesOrRejects() {
		JobRequest first = JobRequest.of("mail", new Mail("ada")).uniqueKey("ada");
		JobRequest second = JobRequest.of("mail", new Mail("bob"))
			.uniqueKey("ada")
			.duplicates(DuplicatePolicy.replace());
		long id = this.queue.enqueue(first).id();

		assertThat(this.queue.enqueue(second)).isEqualTo(new EnqueueResult(id, Outcome.REPLACED));

		assertThat(this.queue.requests()).containsExactly(second);
		assertThatExceptionOfType(DuplicateJobException.class)
			.isThrownBy(() -> this.queue.enqueue(first.duplicates(DuplicatePolicy.reject())));
	}

	@Test
	void aRecordedJobIsRescheduledAndCancelledByItsKey() {
		Instant tomorrow = Instant.now().plus(Duration.ofDays(1));
		this.application.run((context) -> {
			RecordingJobQueue recording = context.getBean(RecordingJobQueue.class);
			JobReference reminder = context.getBean(JobAdmin.class).job("reminder");
			assertThat(reminder.cancel()).isEqualTo(CancelResult.NOT_FOUND);
			recording.enqueue(JobRequest.of("mail").uniqueKey("reminder"));

			assertThat(reminder.reschedule(tomorrow)).isTrue();
			assertThat(recording.requests()).extracting(JobRequest::runAt).containsExactly(tomorrow);
			assertThat(reminder.cancel()).isEqualTo(CancelResult.CANCELLED);
			assertThat(recording.requests()).isEmpty();
		});
	}

	@Test
	void aRollbackRestoresWhatItsTransactionHasChanged() {
		JobRequest ada = JobRequest.of("mail", new Mail("ada")).uniqueKey("ada");
		this.queue.enqueue(ada);

		new TransactionTemplate(new WithoutResource()).executeWithoutResult((status) -> {
			this.queue.enqueue(ada.priority(7).duplicates(DuplicatePolicy.replace()));
			this.queue.recorded().remove(1);
			this.queue.enqueue(ada.priority(9));
			status.setRollbackOnly();
		});

		assertThat(this.queue.requests()).containsExactly(ada);
	}

	@Test
	void oneCallRecordsAllOfItsJobsOrNone() {
		JobRequest ada = JobRequest.of("mail", new Mail("ada")).uniqueKey("ada");
		JobRequest replaced = ada.priority(7).duplicates(DuplicatePolicy.replace());
		JobRequest bob = JobRequest.of("mail", new Mail("bob"));
		JobRequest unreadable = JobRequest.of("mail", new Unreadable());
		this.queue.enqueue(ada);

		assertThatExceptionOfType(DuplicateJobException.class)
			.isThrownBy(() -> this.queue.enqueueAll(List.of(bob, ada.duplicates(DuplicatePolicy.reject()))));
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> this.queue.enqueueAll(Stream.of(replaced, unreadable)));
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> this.queue.enqueue(Flow.named("mails").job("bob", bob).job("unreadable", unreadable)));
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> this.queue.enqueueBatch(Batch.named("mails"), Stream.of(bob, unreadable)));
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> this.queue.addToBatch(1, Stream.of(bob, unreadable)));

		assertThat(this.queue.requests()).containsExactly(ada);
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

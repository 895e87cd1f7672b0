package io.rowqueue.engine.enqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.EnqueueResult;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.PayloadConversionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataIntegrityViolationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class EnqueueTests {

	@AutoClose
	private final TestApplication application = new TestApplication();

	@Test
	void anEnqueueStoresNothingForAnEmptyList() {
		assertThat(this.application.queue().enqueueAll(List.of())).isEmpty();
		assertThat(this.application.woken()).isEmpty();
	}

	@Test
	void anEnqueueStoresNothingIfOnePayloadCannotBeWritten() {
		List<JobRequest> requests = List.of(JobRequest.of("test", 1), JobRequest.of("test", new Unwritable()));
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> this.application.queue().enqueueAll(requests));
		assertThat(this.application.committed()).isEmpty();
		assertThat(this.application.woken()).isEmpty();
	}

	@Test
	void anEnqueueLeavesTheCallersTransactionIntactIfAPayloadCannotBeWritten() {
		this.application.transaction().executeWithoutResult((status) -> {
			this.application.enqueue("a");
			assertThatExceptionOfType(PayloadConversionException.class)
				.isThrownBy(() -> this.application.queue().enqueue("test", new Unwritable()));
		});
		assertThat(this.application.committed()).containsExactly("a");
	}

	@Test
	void aRequestThatIsNullIsRefusedByName() {
		List<JobRequest> requests = Arrays.asList(JobRequest.of("test"), null);
		assertThatIllegalArgumentException().isThrownBy(() -> this.application.queue().enqueue(requests.get(1)))
			.withMessage("a request must not be null");
		assertThatIllegalArgumentException().isThrownBy(() -> this.application.queue().enqueueAll(requests))
			.withMessage("a request must not be null");
		assertThatIllegalArgumentException().isThrownBy(() -> this.application.queue().enqueueAll(requests.stream()))
			.withMessage("a request must not be null");
		assertThat(this.application.committed()).isEmpty();
	}

	@Test
	void anEnqueueStoresNothingIfTheDatabaseRejectsOne() {
		List<JobRequest> requests = List.of(JobRequest.of("test"), JobRequest.of("test", new NoJson()));
		assertThatExceptionOfType(DataIntegrityViolationException.class)
			.isThrownBy(() -> this.application.queue().enqueueAll(requests));
		assertThat(this.application.committed()).isEmpty();
		assertThat(this.application.woken()).isEmpty();
	}

	@Test
	void anEnqueueKeepsTheJobThatHoldsTheKeyAndWakesNoWorker() {
		JobRequest request = JobRequest.of("test").queue("keys").uniqueKey("key");
		EnqueueResult first = this.application.queue().enqueue(request);
		EnqueueResult second = this.application.queue().enqueue(request);
		assertThat(second).isEqualTo(new EnqueueResult(first.id(), Outcome.KEPT));
		assertThat(this.application.woken()).containsExactly("keys");
	}

	@Test
	void anEnqueueWakesNoWorkerForADelayedJob() {
		long id = this.application.queue().enqueue(JobRequest.of("test").delay(Duration.ofHours(1))).id();
		assertThat(this.application.queue().find(id)).get()
			.satisfies((job) -> assertThat(job.state()).isEqualTo(JobState.SCHEDULED))
			.satisfies((job) -> assertThat(Duration.between(job.createdAt(), job.runAt()))
				.isBetween(Duration.ofMinutes(59), Duration.ofMinutes(61)));
		assertThat(this.application.woken()).isEmpty();
	}

	@Test
	void anEnqueueWakesEachQueueOnce() {
		this.application.queue()
			.enqueueAll(List.of(JobRequest.of("test").queue("a"), JobRequest.of("test").queue("b"),
					JobRequest.of("test").queue("a"), JobRequest.of("test").queue("c").delay(Duration.ofHours(1))));
		assertThat(this.application.woken()).containsExactly("a", "b");
	}

	@Test
	void aStoredJobHasTheOptionsOfItsRequest() {
		long id = this.application.queue()
			.enqueue(JobRequest.of("mail", List.of("ä", 2))
				.queue("q")
				.priority(-5)
				.runAt(Instant.parse("2020-01-02T03:04:05Z"))
				.maxAttempts(7)
				.uniqueKey("k"))
			.id();
		assertThat(this.application.queue().find(id)).get().satisfies((job) -> {
			assertThat(job.type()).isEqualTo("mail");
			assertThat(job.payload()).isEqualTo("[\"ä\",2]");
			assertThat(job.queue()).isEqualTo("q");
			assertThat(job.state()).isEqualTo(JobState.QUEUED);
			assertThat(job.priority()).isEqualTo(-5);
			assertThat(job.attempt()).isZero();
			assertThat(job.maxAttempts()).isEqualTo(7);
			assertThat(job.runAt()).isEqualTo("2020-01-02T03:04:05Z");
			assertThat(job.uniqueKey()).isEqualTo("k");
			assertThat(job.startedAt()).isNull();
			assertThat(job.finishedAt()).isNull();
		});
	}

	@Test
	void anUnknownIdIsNotFound() {
		assertThat(this.application.queue().find(-1)).isEmpty();
	}

	/** Writes itself as something that is no JSON. */
	record NoJson() {

		@JsonRawValue
		@JsonValue
		public String json() {
			return "{";
		}

	}

	/** Cannot be written. */
	record Unwritable() {

		public Unwritable getSelf() {
			throw new IllegalStateException("no JSON");
		}

	}

}

package io.rowqueue.engine.enqueue;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.JobType;
import io.rowqueue.engine.job.JobWindows;
import io.rowqueue.engine.job.NewJob;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.listen.JobListener;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RequestConverterTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private static final JobType<String> CHARGE = JobType.of("charge", String.class)
		.queue("payments")
		.onFailure((order) -> JobRequest.of("refund", order));

	private static final JobType<String> REFUND = JobType.of("refund", String.class).queue("refunds").priority(7);

	private final RequestConverter converter = converter(Map.of("charge", CHARGE, "refund", REFUND));

	@Test
	void theDefaultsOfATypeApplyToARequestThatNamesIt() {
		assertThat(this.converter.complete(JobRequest.of("charge", "order")).queue()).isEqualTo("payments");
		assertThat(this.converter.complete(JobRequest.of("charge", "order").queue("other")).queue()).isEqualTo("other");
		assertThat(this.converter.complete(JobRequest.of("unknown")).queue()).isEqualTo(JobRequest.DEFAULT_QUEUE);
	}

	@Test
	void theDefaultsOfATypeApplyToTheJobOfAFailure() {
		JobRequest refund = this.converter.complete(JobRequest.of("charge", "order")).onFailure();
		assertThat(refund).isNotNull();
		assertThat(refund.queue()).isEqualTo("refunds");
		assertThat(refund.priority()).isEqualTo(7);
	}

	@Test
	void theJobOfAFailureIsRejectedIfItsTypeHasADefaultThatItCannotHave() {
		JobRequest request = JobRequest.of("plain").onFailure(JobRequest.of("charge", "order"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.converter.complete(request))
			.withMessageContaining("onFailure");
		RequestConverter keyed = converter(
				Map.of("charge", JobType.of("charge", String.class).uniqueKey("order "::concat)));
		assertThatIllegalArgumentException().isThrownBy(() -> keyed.complete(request))
			.withMessageContaining("unique key");
	}

	@Test
	void aJobExpiresByTheClockOfTheDatabase() {
		JobRequest request = this.converter.complete(JobRequest.of("plain").expiresIn(Duration.ofHours(1)));
		Instant now = database.now();
		assertThat(request.expiresAt()).isBetween(now.plus(Duration.ofMinutes(50)), now.plus(Duration.ofHours(1)));
	}

	@Test
	void theJobsOfACallAreSpreadEvenlyAfterTheirTime() {
		Instant midnight = Instant.parse("2030-01-01T00:00:00Z");
		JobRequest atMidnight = JobRequest.of("plain").runAt(midnight).spreadOver(Duration.ofMinutes(100));
		List<Instant> due = runAts(Collections.nCopies(1000, atMidnight));
		assertThat(due).allMatch((time) -> !time.isBefore(midnight));
		for (int minute = 0; minute < 100; minute++) {
			Instant begin = midnight.plus(Duration.ofMinutes(minute));
			assertThat(due).filteredOn((time) -> !time.isBefore(begin) && time.isBefore(begin.plusSeconds(60)))
				.as("minute %s", minute)
				.hasSizeBetween(8, 12);
		}
		assertThat(runAts(List.of(atMidnight))).as("another call").isNotEqualTo(runAts(List.of(atMidnight)));
	}

	@Test
	void aSpreadJobIsDelayedAndSoIsTheJobOfItsFailure() {
		JobRequest spread = JobRequest.of("plain").delay(Duration.ofHours(2)).spreadOver(Duration.ofHours(1));
		JobRequest request = this.converter.complete(spread.onFailure(spread));
		assertThat(request.onFailure()).isNotNull();
		List.of(request.onFailure(), this.converter.conversion(null).apply(request).request(),
				this.converter.convertDependent(request, null).request())
			.forEach((each) -> {
				assertThat(each.delay()).isBetween(Duration.ofHours(2), Duration.ofHours(3));
				assertThat(each.spreadOver()).isZero();
			});
	}

	private List<Instant> runAts(List<JobRequest> requests) {
		return requests.stream()
			.map(this.converter.conversion(null))
			.map((job) -> Objects.requireNonNull(job.request().runAt()))
			.toList();
	}

	@Test
	void thePayloadAndTheHeadersAreWritten() {
		NewJob job = this.converter.conversion("{\"traceparent\":\"a\"}").apply(JobRequest.of("plain", List.of(1, 2)));
		assertThat(job.payload()).isEqualTo("[1,2]");
		assertThat(job.headers()).isEqualTo("{\"traceparent\":\"a\"}");
	}

	@Test
	void aWindowIsRejectedWithoutThePartThatKnowsWindows() {
		JobRequest request = JobRequest.of("plain").window("night");
		assertThatExceptionOfType(JobQueueException.class)
			.isThrownBy(() -> this.converter.conversion(null).apply(request))
			.withMessageContainingAll("'plain'", "'night'", "rowqueue-windows");
	}

	private static RequestConverter converter(Map<String, JobType<?>> types) {
		return new RequestConverter(
				new EnqueueHooks(List::of, () -> JobListener.NONE, types::get, DirectStart.NONE, JobWindows.NONE),
				database.queueDatabase(), new PayloadWriter(Engine.CODEC, DataSize.ofMegabytes(1)));
	}

}

package io.rowqueue.engine.enqueue;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.JobType;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.job.NewJob;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.engine.window.WindowStore;
import io.rowqueue.listen.JobListener;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.window.Window;
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

	private final WindowStore windows = database.jobs().windows();

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
		Instant now = this.windows.now();
		assertThat(request.expiresAt()).isBetween(now.plus(Duration.ofMinutes(50)), now.plus(Duration.ofHours(1)));
	}

	@Test
	void aJobIsPostponedToTheOpeningOfItsWindow() {
		Window window = Window.of("never now", "UTC", "00:00-00:01");
		Instant now = this.windows.now();
		this.windows.put(window, window.opening(now), true);
		Instant due = Instant.parse("2030-05-04T12:00:00Z");
		JobRequest request = JobRequest.of("plain").window("never now").runAt(due);
		Instant opening = Instant.parse("2030-05-05T00:00:00Z");
		assertThat(this.converter.conversion(null).apply(request).request().runAt()).isEqualTo(opening);
		assertThat(this.converter.convertDependent(request, null).request().runAt())
			.as("of a flow, the worker checks the window")
			.isEqualTo(due);
	}

	@Test
	void aWindowIsNotReadForEachJobOfACall() {
		Window window = Window.of("never now", "UTC", "00:00-00:01");
		this.windows.put(window, window.opening(this.windows.now()), true);
		AtomicInteger statements = new AtomicInteger();
		DataSource counting = new DelegatingDataSource(database.direct()) {

			@Override
			public Connection getConnection() throws SQLException {
				statements.incrementAndGet();
				return super.getConnection();
			}

		};
		RequestConverter converter = converter(Map.of(),
				new QueueDatabase(new JdbcTemplate(counting), SchemaName.DEFAULT));
		assertThat(Collections.nCopies(1000, JobRequest.of("plain").window("never now"))
			.stream()
			.map(converter.conversion(null))
			.map((job) -> job.request().runAt())
			.distinct()).hasSize(1);
		assertThat(statements).as("one for each second, and one for the clock").hasValueLessThan(500);
	}

	@Test
	void anUnknownWindowIsNamed() {
		assertThatExceptionOfType(JobQueueException.class)
			.isThrownBy(() -> this.converter.conversion(null).apply(JobRequest.of("plain").window("night")))
			.withMessageContaining("'night'");
	}

	@Test
	void thePayloadAndTheHeadersAreWritten() {
		NewJob job = this.converter.conversion("{\"traceparent\":\"a\"}").apply(JobRequest.of("plain", List.of(1, 2)));
		assertThat(job.payload()).isEqualTo("[1,2]");
		assertThat(job.headers()).isEqualTo("{\"traceparent\":\"a\"}");
	}

	private RequestConverter converter(Map<String, JobType<?>> types) {
		return converter(types, database.queueDatabase());
	}

	private static RequestConverter converter(Map<String, JobType<?>> types, QueueDatabase database) {
		return new RequestConverter(new EnqueueHooks(List::of, () -> JobListener.NONE, types::get, DirectStart.NONE),
				database, new PayloadWriter(Engine.CODEC, DataSize.ofMegabytes(1)));
	}

}

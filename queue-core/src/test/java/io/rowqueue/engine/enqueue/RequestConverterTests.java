package io.rowqueue.engine.enqueue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.JobType;
import io.rowqueue.PayloadConversionException;
import io.rowqueue.UniqueKey;
import io.rowqueue.engine.job.JobWindows;
import io.rowqueue.engine.job.NewJob;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.listen.JobListener;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Seed;
import io.rowqueue.testing.StoreDatabase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.util.unit.DataSize;
import tools.jackson.databind.util.RawValue;

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
	void aJobThatIsUniqueByItsPayloadHasTheKeyThatSqlGivesIt() {
		List<String> payloads = new ArrayList<>(List.of("null", "{}", "[]", "-0.0", "100e-2", "1E2", "0.10", "10.050",
				"{\"b\": \"\\u0007\\u001f\\u007f\\\\ 1.0\", \"a\": 2, \"aa\": {\"é\": 1, \"zz\": 0.0, \"z\": null}, \"b\": 1.0}"));
		Random random = new Random(Seed.of(this));
		for (int i = 0; i < 200; i++) {
			payloads.add(json(random, 3));
		}
		List<String> bySql = database.list(
				"select {schema}.payload_key('plain', p::json) from unnest(?::text[]) with ordinality as u (p, place) order by place",
				String.class, (Object) payloads.toArray(String[]::new));
		for (int i = 0; i < payloads.size(); i++) {
			assertThat(keyOf("plain", payloads.get(i))).as(payloads.get(i)).isEqualTo(bySql.get(i));
		}
	}

	/** Not the places of properties, spaces and zeros. */
	@Test
	void aKeyOfAPayloadSaysWhatThePayloadSays() {
		String key = keyOf("plain", "{\"b\":1,\"a\":[1.50,\"1.0\"]}");
		assertThat(keyOf("plain", " {\"a\": [15e-1, \"1.0\"], \"b\": 1.0}")).isEqualTo(key);
		assertThat(keyOf("other", "{\"b\":1,\"a\":[1.50,\"1.0\"]}")).isNotEqualTo(key);
		assertThat(keyOf("plain", "{\"b\":1,\"a\":[1.50,\"1\"]}")).isNotEqualTo(key);
		JobType<String> unique = JobType.of("unique", String.class).uniqueByPayload().uniqueFor(Duration.ofHours(1));
		JobRequest completed = converter(Map.of("unique", unique)).complete(JobRequest.of("unique", "a"));
		assertThat(completed.unique())
			.isEqualTo(new UniqueKey(keyOf("unique", "\"a\""), Duration.ofHours(1), DuplicatePolicy.keep()));
		assertThatExceptionOfType(PayloadConversionException.class).isThrownBy(() -> keyOf("plain", "1e999999"))
			.withMessageContainingAll("'plain'", "unique by its payload", "number");
	}

	private @Nullable String keyOf(String type, String json) {
		UniqueKey key = this.converter.complete(JobRequest.of(type, new RawValue(json)).uniqueByPayload()).unique();
		return (key != null) ? key.value() : null;
	}

	private static String json(Random random, int depth) {
		return switch (random.nextInt((depth > 0) ? 5 : 3)) {
			case 0 ->
				new BigDecimal(BigInteger.valueOf(random.nextInt(2000) - 1000), random.nextInt(12) - 6).toString();
			case 1 -> text(random);
			case 2 -> random.nextBoolean() ? "null" : "true";
			case 3 -> random.ints(random.nextInt(4), 0, 9)
				.mapToObj((each) -> json(random, depth - 1))
				.collect(Collectors.joining(" , ", "[", "]"));
			default -> random.ints(random.nextInt(6), 0, 9)
				.mapToObj((each) -> text(random) + " :" + json(random, depth - 1))
				.collect(Collectors.joining(",", "{ ", "}"));
		};
	}

	private static String text(Random random) {
		List<String> parts = List.of("a", "b", "0", ".", "é", "\uD83D\uDC18", "\\\"", "\\\\", "\\n", "\\u001b", "/",
				"\\u00e9");
		return random.ints(random.nextInt(4), 0, parts.size())
			.mapToObj(parts::get)
			.collect(Collectors.joining("", "\"", "\""));
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

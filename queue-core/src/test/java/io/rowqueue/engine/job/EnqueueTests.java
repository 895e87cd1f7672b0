package io.rowqueue.engine.job;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.rowqueue.EnqueueResult;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.Job;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.UniqueKey;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What is stored when a job is enqueued. */
class EnqueueTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	@Test
	void resultsComeInTheOrderOfTheRequests() {
		List<EnqueueResult> results = enqueue(JobRequest.of("c").uniqueKey("z"), JobRequest.of("b"),
				JobRequest.of("a").uniqueKey("a"));
		assertThat(results).extracting(EnqueueResult::outcome).containsOnly(Outcome.CREATED);
		assertThat(results).extracting(EnqueueResult::id).doesNotHaveDuplicates();
		assertThat(results).extracting((result) -> database.find(result.id()).type()).containsExactly("c", "b", "a");
	}

	@Test
	void nothingIsStoredForNoRequests() {
		assertThat(database.jobs().enqueue(List.of())).isEmpty();
	}

	@Test
	void theWholeRequestIsStored() {
		long id = enqueue(
				NewJobs.of(JobRequest.of("send-mail").queue("mail").priority(-7).maxAttempts(3).uniqueKey("mail 42"),
						"{\"a\":1}"));
		Job job = database.find(id);
		assertThat(job.type()).isEqualTo("send-mail");
		assertThat(job.queue()).isEqualTo("mail");
		assertThat(job.priority()).isEqualTo(-7);
		assertThat(job.maxAttempts()).isEqualTo(3);
		assertThat(job.uniqueKey()).isEqualTo("mail 42");
		assertThat(job.payload()).isEqualTo("{\"a\":1}");
		assertThat(job.attempt()).isZero();
		assertThat(job.startedAt()).isNull();
		assertThat(job.finishedAt()).isNull();
		assertThat(job.lastError()).isNull();
	}

	@Test
	void aJobWithoutATimeIsQueuedNowByTheDatabasesClock() {
		Instant before = database.now();
		long id = database.enqueue(JobRequest.of("type"));
		Job job = database.find(id);
		assertThat(job.state()).isEqualTo(JobState.QUEUED);
		assertThat(job.runAt()).isBetween(before, database.now());
		assertThat(job.createdAt()).isBetween(before, database.now());
		assertThat(database.orderAt(id)).isEqualTo(job.runAt());
	}

	@Test
	void aDelayIsCountedByTheDatabasesClock() {
		Duration delay = Duration.ofDays(400).plusNanos(1_000);
		Instant before = database.now();
		long id = database.enqueue(JobRequest.of("type").delay(delay));
		Job job = database.find(id);
		assertThat(job.state()).isEqualTo(JobState.SCHEDULED);
		assertThat(job.runAt()).isBetween(before.plus(delay), database.now().plus(delay));
		assertThat(database.orderAt(id)).isEqualTo(job.runAt());
	}

	@Test
	void aTimeToComeIsKeptToTheMicrosecond() {
		Instant runAt = Instant.parse("2900-01-02T03:04:05.123456Z");
		long id = database.enqueue(JobRequest.of("type").runAt(runAt));
		assertThat(database.find(id).runAt()).isEqualTo(runAt);
		assertThat(database.state(id)).isEqualTo(JobState.SCHEDULED);
	}

	@Test
	void aTimeThatHasPassedMeansNow() {
		Instant runAt = Instant.parse("2001-02-03T04:00:00Z");
		long id = database.enqueue(JobRequest.of("type").runAt(runAt));
		assertThat(database.find(id).runAt()).isEqualTo(runAt);
		assertThat(database.state(id)).isEqualTo(JobState.QUEUED);
	}

	@Test
	void toleranceMovesTheOrderAndNotTheTime() {
		Instant runAt = database.now().minus(1, ChronoUnit.HOURS);
		long id = database.enqueue(JobRequest.of("type").runAt(runAt).tolerance(Duration.ofDays(2)));
		assertThat(database.find(id).runAt()).isEqualTo(runAt);
		assertThat(database.orderAt(id)).isEqualTo(runAt.plus(2, ChronoUnit.DAYS));
		assertThat(database.state(id)).isEqualTo(JobState.QUEUED);
	}

	@Test
	void theLongestDelayAndToleranceFit() {
		long id = database.enqueue(JobRequest.of("type").delay(JobRequest.MAX_DELAY).tolerance(JobRequest.MAX_DELAY));
		assertThat(database.state(id)).isEqualTo(JobState.SCHEDULED);
	}

	@Test
	void theLongestNamesAndKeyFit() {
		String name = "\uD83D\uDC18".repeat(JobRequest.MAX_NAME_LENGTH / 2);
		String key = unlike(UniqueKey.MAX_LENGTH);
		long id = database.enqueue(JobRequest.of(name).queue(unlike(JobRequest.MAX_NAME_LENGTH)).uniqueKey(key));
		assertThat(database.find(id).type()).isEqualTo(name);
		assertThat(database.find(id).uniqueKey()).isEqualTo(key);
	}

	@Test
	void aJobNeedsNoPayload() {
		long id = enqueue(NewJobs.of(JobRequest.of("type"), null));
		assertThat(database.find(id).payload()).isNull();
	}

	@ParameterizedTest
	@MethodSource("payloads")
	void aPayloadIsReadBackAsItCame(String payload) {
		long id = enqueue(NewJobs.of(JobRequest.of("type"), payload));
		assertThat(database.find(id).payload()).isEqualTo(payload);
		assertThat(database.claimOne(database.worker()).payload()).isEqualTo(payload);
	}

	static Stream<String> payloads() {
		return Stream.of("null", "{}", "{ \"b\" : 1,\n\t\"a\" : 2, \"a\" : 1.50 }", "\"\\u0000\"", "\"a\\\\b\\\"c\"",
				"\"{a,b}\"", "\"\u00e4\u4e2d\u05d0 \uD83D\uDC18 \uFFFF\"", "\"\\uD83D\"",
				"12345678901234567890.123e400");
	}

	@Test
	void aPayloadOfAMegabyteIsStored() {
		String payload = '"' + unlike(1_000_000) + '"';
		long id = enqueue(NewJobs.of(JobRequest.of("type"), payload));
		long worker = database.worker();
		assertThat(database.jobs().leases().payload(worker, database.claimOne(worker).lease(), Long.MAX_VALUE))
			.hasValueSatisfying((stored) -> assertThat(stored.json()).isEqualTo(payload));
		assertThat(database.find(id).payload()).isEqualTo(payload);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{", "'" })
	void aPayloadThatIsNoJsonIsRefusedWithTheWholeBatch(String payload) {
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> database.jobs()
			.enqueue(List.of(NewJobs.of(JobRequest.of("type"), "1"), NewJobs.of(JobRequest.of("type"), payload))));
		assertThat(database.count("job")).isZero();
	}

	@Test
	void textIsStoredAsItIsWhateverItContains() {
		String text = "a\"b\\c{d},'e;--%s ?? $1 NULL";
		long id = database.enqueue(JobRequest.of(text).queue("null").uniqueKey(text));
		assertThat(database.find(id).type()).isEqualTo(text);
		assertThat(database.find(id).queue()).isEqualTo("null");
		assertThat(database.find(id).uniqueKey()).isEqualTo(text);
	}

	@Test
	void aThousandJobsAreOneBatch() {
		JobRequest[] requests = IntStream.range(0, 1000)
			.mapToObj((i) -> JobRequest.of("type-" + i))
			.toArray(JobRequest[]::new);
		List<Long> ids = database.enqueue(requests);
		assertThat(ids).hasSize(1000).isSorted().doesNotHaveDuplicates();
		assertThat(database.list("select type from {schema}.job order by id", String.class))
			.containsExactlyElementsOf(IntStream.range(0, 1000).mapToObj((i) -> "type-" + i).toList());
	}

	@Test
	void aJobOfATransactionThatRollsBackWasNeverThere() throws Exception {
		long id;
		try (OpenTransaction transaction = database.begin()) {
			id = transaction.jobs().enqueue(List.of(NewJobs.of(JobRequest.of("type"), null))).get(0).id();
			assertThat(transaction.jobs().find(id)).isPresent();
			assertThat(database.jobs().find(id)).isEmpty();
			transaction.rollback();
		}
		assertThat(database.jobs().find(id)).isEmpty();
	}

	private static long enqueue(NewJob job) {
		return database.jobs().enqueue(List.of(job)).get(0).id();
	}

	private static List<EnqueueResult> enqueue(JobRequest... requests) {
		return database.jobs().enqueue(Stream.of(requests).map((request) -> NewJobs.of(request, null)).toList());
	}

	/** Text that does not compress to nothing. */
	private static String unlike(int length) {
		StringBuilder text = new StringBuilder(length);
		Random random = new Random(42);
		while (text.length() < length) {
			text.append((char) ('\u4e00' + random.nextInt(20_000)));
		}
		return text.toString();
	}

}

package io.rowqueue.engine.enqueue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.EnqueueResult;
import io.rowqueue.JobRequest;
import io.rowqueue.PayloadConversionException;
import io.rowqueue.engine.codec.JacksonPayloadCodec;
import io.rowqueue.engine.database.TransactionCheck;
import io.rowqueue.engine.job.JobWindows;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.engine.wakeup.JobEndings;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.listen.JobListener;
import io.rowqueue.postgres.Dose;
import io.rowqueue.testing.KeptConnections;
import io.rowqueue.testing.MigratedDatabase;
import io.rowqueue.testing.Stores;
import io.rowqueue.testing.Transactions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.unit.DataSize;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Named.named;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Many jobs at once, and payloads that are too much. */
class BulkEnqueueTests {

	private static final int MANY = Dose.of(20_000, 100_000);

	private static final DataSource dataSource = KeptConnections.sessions(MigratedDatabase.create("bulk"));

	private static final JdbcTemplate jdbc = new JdbcTemplate(dataSource);

	private static final Stores store = new Stores(jdbc);

	private static final WakeUps wakeUps = store.wakeUps();

	private final TransactionTemplate transaction = Transactions.template(dataSource);

	private final TransactionalJobQueue queue = queue(PayloadWriter.DEFAULT_MAX_SIZE);

	@AfterAll
	static void close() {
		wakeUps.close();
	}

	@BeforeEach
	void empty() {
		jdbc.execute("truncate rowqueue.job, rowqueue.job_follow_up, rowqueue.taken_key");
	}

	@Test
	void manyJobsAreOneTransactionAndFewInMemory() {
		AtomicInteger read = new AtomicInteger();
		AtomicInteger answered = new AtomicInteger();
		AtomicInteger mostInMemory = new AtomicInteger();
		Stream<JobRequest> requests = IntStream.range(0, MANY).mapToObj((i) -> {
			mostInMemory.accumulateAndGet(read.incrementAndGet() - answered.get(), Math::max);
			return JobRequest.of("type", i);
		});
		long count = this.queue.enqueueAll(requests, (result) -> answered.incrementAndGet());
		assertThat(count).isEqualTo(MANY);
		assertThat(answered).hasValue(MANY);
		assertThat(mostInMemory.get()).isLessThanOrEqualTo(StatementChunks.MAX_JOBS + 1);
		assertThat(number("select count(distinct payload::text) from rowqueue.job")).isEqualTo(MANY);
		assertThat(number("select count(distinct xmin::text) from rowqueue.job")).as("transactions").isEqualTo(1);
	}

	@Test
	void bigPayloadsMakeSmallerBatches() {
		String big = "x".repeat(1_000_000);
		AtomicInteger read = new AtomicInteger();
		AtomicInteger answered = new AtomicInteger();
		AtomicInteger mostInMemory = new AtomicInteger();
		this.queue.enqueueAll(IntStream.range(0, 40).mapToObj((i) -> {
			mostInMemory.accumulateAndGet(read.incrementAndGet() - answered.get(), Math::max);
			return JobRequest.of("type", big);
		}), (result) -> answered.incrementAndGet());
		assertThat(mostInMemory.get()).isLessThan(12);
		assertThat(number("select count(*) from rowqueue.job")).isEqualTo(40);
	}

	@Test
	void resultsComeInTheOrderOfTheRequests() {
		List<EnqueueResult> results = new ArrayList<>();
		this.queue.enqueueAll(IntStream.range(0, 2500)
			.mapToObj((i) -> (i % 2 == 0) ? JobRequest.of("type", i)
					: JobRequest.of("type", i)
						.uniqueKey("key " + i % 100)
						.duplicates(DuplicatePolicy.merge(Integer.class, Integer::sum))),
				results::add);
		assertThat(results.subList(0, 100)).extracting(EnqueueResult::outcome).containsOnly(Outcome.CREATED);
		assertThat(results.get(100).outcome()).isEqualTo(Outcome.CREATED);
		assertThat(results.get(101)).isEqualTo(new EnqueueResult(results.get(1).id(), Outcome.MERGED));
		int sum = IntStream.range(0, 25).map((i) -> 1 + 100 * i).sum();
		assertThat(payload(results.get(1))).isEqualTo(String.valueOf(sum));
		assertThat(payload(results.get(2498))).isEqualTo("2498");
	}

	@Test
	void jobsThatAreAlikeGetTheirIdsInTheirOrder() {
		List<EnqueueResult> results = this.queue
			.enqueueAll(IntStream.range(0, 2500).mapToObj((i) -> JobRequest.of("type", i)).toList());
		assertThat(results).extracting(EnqueueResult::id).isSorted().doesNotHaveDuplicates();
		assertThat(jdbc.queryForList("select payload::text::int from rowqueue.job order by id", Integer.class))
			.containsExactlyElementsOf(IntStream.range(0, 2500).boxed().toList());
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3 })
	void jobsThatAreAlikeAreStoredAsOthersAre(int kind) {
		JobRequest request = switch (kind) {
			case 1 -> JobRequest.of("type", 1);
			case 2 -> JobRequest.of("type").queue("other").priority(7).maxAttempts(3);
			default -> JobRequest.of("type", 1).tolerance(Duration.ofSeconds(1));
		};
		this.queue.enqueueAll(List.of(request, request));
		this.queue.enqueueAll(List.of(request, JobRequest.of("another").delay(Duration.ofDays(1))));
		this.queue.enqueue(request);
		assertThat(number("select count(*) from rowqueue.job where type = 'type'")).isEqualTo(4);
		assertThat(
				number("""
						select count(*) from (select distinct queue, priority, max_attempts, state, tolerance, headers::text, payload::text,
							order_at - run_at, run_at <= clock_timestamp() from rowqueue.job where type = 'type') kinds"""))
			.isEqualTo(1);
	}

	@ParameterizedTest
	@MethodSource("lists")
	void aListIsOneTransactionForWhichOneStatementNeedsNone(List<JobRequest> jobs, boolean statement) {
		List<Boolean> inTransaction = new ArrayList<>();
		JobListener listener = new JobListener() {
			@Override
			public void enqueued(JobRequest request, EnqueueResult result) {
				inTransaction.add(TransactionSynchronizationManager.isActualTransactionActive());
			}
		};
		WakeUps closed = store.wakeUps(); // it admits no jobs
		closed.close();
		TransactionalJobQueue listened = store.queue(dataSource, closed,
				new EnqueueHooks(List::of, () -> listener, DeclaredTypes.NONE, DirectStart.NONE, JobWindows.NONE));
		assertThat(listened.enqueueAll(jobs)).hasSameSizeAs(jobs);
		assertThat(number("select count(distinct xmin::text) from rowqueue.job")).isEqualTo(1);
		assertThat(inTransaction).hasSameSizeAs(jobs).containsOnly(!statement);
	}

	static Stream<Arguments> lists() {
		JobRequest plain = JobRequest.of("type");
		JobRequest big = JobRequest.of("type", "x".repeat(1_000_000));
		return Stream.of(arguments(named("one", List.of(plain)), true),
				arguments(named("a thousand", Collections.nCopies(1000, plain)), true),
				arguments(named("some of any kind", List.of(plain, plain.priority(1), plain.delay(Duration.ofDays(1)))),
						true),
				arguments(named("more than a thousand", Collections.nCopies(1001, plain)), false),
				arguments(named("many megabytes", Collections.nCopies(10, big)), false),
				arguments(named("one with a unique key", List.of(plain, plain.uniqueKey("a"))), false),
				arguments(named("one with a limit", List.of(plain, plain.limitKey("a"))), false));
	}

	@Test
	void nothingIsStoredForAnEmptyStream() {
		assertThat(this.queue.enqueueAll(Stream.of())).isZero();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aStreamThatFailsLeavesNothing(boolean inTransaction) {
		Stream<JobRequest> requests = IntStream.range(0, 3000).mapToObj((i) -> {
			if (i == 2500) {
				throw new IllegalStateException("the file ends in the middle");
			}
			return JobRequest.of("type", i);
		});
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> {
			if (inTransaction) {
				this.transaction.executeWithoutResult((status) -> this.queue.enqueueAll(requests));
			}
			else {
				this.queue.enqueueAll(requests);
			}
		}).withMessage("the file ends in the middle");
		assertThat(number("select count(*) from rowqueue.job")).isZero();
	}

	@Test
	void aPayloadOverTheLimitIsRefusedBeforeAnythingIsStored() {
		TransactionalJobQueue small = queue(DataSize.ofBytes(10));
		assertThat(small.enqueue("fits", "\u00e9\u4e2d12").created()).as("2 + 3 + 2 bytes and quotes").isTrue();
		assertThat(small.enqueue("fits", "\uD83D\uDC181234").created()).as("4 + 4 bytes and quotes").isTrue();
		assertThatExceptionOfType(PayloadConversionException.class).isThrownBy(
				() -> small.enqueueAll(List.of(JobRequest.of("other"), JobRequest.of("send-mail", "\u00e9\u4e2d1234"))))
			.withMessage("The payload of a job of type 'send-mail' has 11 bytes as JSON; at most 10 are allowed. Store"
					+ " what is big elsewhere and put its id into the payload, or raise rowqueue.max-payload-size");
		assertThat(number("select count(*) from rowqueue.job")).isEqualTo(2);
	}

	@Test
	void aMergedPayloadOverTheLimitIsRefusedAndTheJobStaysAsItWas() {
		TransactionalJobQueue small = queue(DataSize.ofBytes(10));
		JobRequest job = JobRequest.of("type", "12345")
			.uniqueKey("key")
			.duplicates(DuplicatePolicy.merge(String.class, (existing, added) -> existing + added));
		EnqueueResult first = small.enqueue(job);
		assertThatExceptionOfType(PayloadConversionException.class).isThrownBy(() -> small.enqueue(job))
			.withMessageContaining("has 12 bytes as JSON");
		assertThat(payload(first)).isEqualTo("\"12345\"");
	}

	@ParameterizedTest
	@ValueSource(strings = { "cut \uD83D", "\uDC18", "\uD83Dx" })
	void halfACharacterIsRefused(String text) {
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> this.queue.enqueue("send-mail", List.of(text)))
			.withMessageContaining("The payload of a job of type 'send-mail' contains half a character");
	}

	@ParameterizedTest
	@ValueSource(strings = { "\0", "a\u0001\u007f\u0080\uFFFF", "\uD83D\uDC18\"\\" })
	void anyOtherTextIsReadBackAsItWas(String text) {
		EnqueueResult result = this.queue.enqueue("type", text);
		assertThat(JsonMapper.shared().readValue(payload(result), String.class)).isEqualTo(text);
	}

	@Test
	void mergesReadAndWritePayloadsAsHandlersDo() {
		JobRequest job = JobRequest.of("index", new Words(List.of("a")))
			.uniqueKey("key")
			.duplicates(DuplicatePolicy.merge(Words.class, Words::and));
		EnqueueResult first = this.queue.enqueue(job);
		assertThat(this.queue.enqueue(job)).isEqualTo(new EnqueueResult(first.id(), Outcome.MERGED));
		assertThat(payload(first)).isEqualTo("{\"words\":[\"a\",\"a\"]}");
	}

	/** It would be stored as the text "Infinity". */
	@ParameterizedTest
	@ValueSource(classes = { Map.class, JsonNode.class })
	<T> void aMergeRefusesAPayloadWithANumberThatIsTooBig(Class<T> type) {
		jdbc.queryForObject("select rowqueue.enqueue('type', '{\"total\": 1e999999999}', unique_key => 'key')",
				Long.class);
		JobRequest job = JobRequest.of("type", Map.of("total", 1))
			.uniqueKey("key")
			.duplicates(DuplicatePolicy.merge(type, (existing, added) -> existing));
		assertThatExceptionOfType(PayloadConversionException.class).isThrownBy(() -> this.queue.enqueue(job))
			.withMessageContaining("The payload of a job of type 'type' cannot be read as " + type.getName()
					+ ": a number does not fit `double`");
		assertThat(jdbc.queryForObject("select payload::text from rowqueue.job", String.class))
			.isEqualTo("{\"total\": 1e999999999}");
	}

	@Test
	void whatAMergeThrowsIsThrownAndNothingChanges() {
		EnqueueResult first = this.queue.enqueue(JobRequest.of("type", 1).uniqueKey("key"));
		JobRequest job = JobRequest.of("type", 2)
			.uniqueKey("key")
			.duplicates(DuplicatePolicy.merge(Integer.class, (existing, added) -> {
				throw new IllegalStateException("no sum");
			}));
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> this.queue.enqueueAll(List.of(JobRequest.of("other"), job)))
			.withMessage("no sum");
		assertThat(payload(first)).isEqualTo("1");
		assertThat(number("select count(*) from rowqueue.job")).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, -1, 257L * 1024 * 1024 })
	void aLimitThatMakesNoSenseIsRefused(long bytes) {
		assertThatIllegalArgumentException().isThrownBy(() -> queue(DataSize.ofBytes(bytes)))
			.withMessage("maxPayloadSize must be from 1B to 256MB, not " + bytes + "B");
	}

	private static TransactionalJobQueue queue(DataSize maxPayloadSize) {
		return new TransactionalJobQueue(store.databases(), store.kept(),
				new CallerTransaction(dataSource, false, new TransactionCheck(TransactionCheck.Mode.WARN)),
				new PayloadWriter(new JacksonPayloadCodec(JsonMapper.shared()), maxPayloadSize), wakeUps,
				new JobEndings(), new EnqueueHooks(List::of, () -> JobListener.NONE, DeclaredTypes.NONE,
						DirectStart.NONE, JobWindows.NONE),
				Carriage.NONE);
	}

	private static String payload(EnqueueResult result) {
		return store.find(result.id()).orElseThrow().payload();
	}

	private static long number(String sql) {
		return jdbc.queryForObject(sql, Long.class);
	}

	record Words(List<String> words) {

		Words and(Words others) {
			return new Words(Stream.of(this, others).flatMap((each) -> each.words().stream()).toList());
		}

	}

}

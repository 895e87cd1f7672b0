package io.rowqueue.engine.transport;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import io.rowqueue.engine.transport.ParkStore.ParkedJob;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.transport.JobMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.UncategorizedSQLException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/** Any program can publish anything. */
class SafeParkingTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final ParkStore store = new ParkStore(database.queueDatabase());

	static Stream<JobMessage> whatTheDatabaseRefuses() {
		String deep = "[".repeat(100_000) + "]".repeat(100_000);
		// it cannot be compressed, and is longer than an entry of an index may be
		String longName = new Random(1).ints(20_000, 'a', 'z' + 1)
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
		JobMessage plain = job(41, "default", 0);
		return Stream.of(plain.payload("{"), plain.payload("\"\0\""), plain.payload(deep), plain.headers(deep),
				plain.maxAttempts(100_000), job(41, "a\0b", 0), job(41, longName, 0),
				job(41, "default", Long.MIN_VALUE), job(41, "default", Long.MAX_VALUE));
	}

	private static JobMessage job(long id, String queue, long createdAt) {
		return JobMessage.of(id, "type", queue, createdAt);
	}

	@ParameterizedTest
	@MethodSource("whatTheDatabaseRefuses")
	void aJobThatTheDatabaseRefusesIsParkedAndHoldsUpNoOther(JobMessage refused) {
		List<ParkedJob> jobs = Stream.of(refused, job(42, "default", 0)).map((job) -> new ParkedJob(job, 1)).toList();
		assertThat(SafeParking.park(jobs, this.store::queue)).containsExactlyInAnyOrder(41L, 42L);
		assertThat(database.query("select count(*) from {schema}.job", Long.class)).isEqualTo(2);
	}

	@ParameterizedTest
	@MethodSource("whatTheDatabaseRefuses")
	void aRecordThatCannotBeEnqueuedIsStoredOnceWithItsPayloadAsAText(JobMessage refused) {
		long id = enqueue(refused);
		assertThat(enqueue(refused)).isEqualTo(id);
		assertThat(database.query("select count(*) from {schema}.job", Long.class)).isOne();
	}

	@Test
	void aRecordThatIsLargerThanAnyRequestIsCut() {
		enqueue(job(41, "default", 0).payload("\"" + "\u0001".repeat(1 << 24) + "\""));
		assertThat(database.query("select payload::text from {schema}.job", String.class))
			.startsWith("{\"unreadable\":")
			.hasSizeLessThan(1 << 24);
	}

	private long enqueue(JobMessage message) {
		return SafeParking.enqueue(message, (job) -> this.store.enqueue(job, "Kafka topic-0 offset 1 of 2"));
	}

	/** A deadlock, a missing privilege: a retry, or an operator, helps. */
	@ParameterizedTest
	@ValueSource(strings = { "40001", "40P01", "42501", "57014", "XX000" })
	void aJobThatCannotBeStoredNowKeepsItsPayload(String state) {
		List<List<ParkedJob>> tried = new ArrayList<>();
		RuntimeException error = new UncategorizedSQLException("park", null, new SQLException("not now", state));
		assertThatException()
			.isThrownBy(() -> SafeParking.park(List.of(new ParkedJob(job(41, "default", 0), 1)), (jobs) -> {
				tried.add(jobs);
				throw error;
			}))
			.isSameAs(error);
		assertThat(tried).hasSize(1);
	}

}

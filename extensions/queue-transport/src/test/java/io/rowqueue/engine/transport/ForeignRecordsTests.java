package io.rowqueue.engine.transport;

import java.util.List;
import java.util.Set;

import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.transport.GivenIdStore.Given;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.transport.Delivery;
import io.rowqueue.transport.JobMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

class ForeignRecordsTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final ForeignRecords records = new ForeignRecords(new GivenIdStore(database.queueDatabase()),
			new ParkStore(database.queueDatabase()), (arrivals) -> {
			}, StoreListener.NONE);

	@Test
	void whatIsKnownToBeGivenNeedsNoDatabase() {
		long last = database.query("select nextval('{schema}.job_id_seq')", Long.class);
		this.records.look();
		database.execute("alter view {schema}.own_ids rename to away");
		try {
			List<Delivery> given = List.of(delivery(1), delivery(last));
			assertThat(this.records.store(given)).isEqualTo(given);
			assertThatException().isThrownBy(() -> this.records.store(List.of(delivery(last + 1))));
		}
		finally {
			database.execute("alter view {schema}.away rename to own_ids");
		}
	}

	@Test
	void noRecordOfAPollIsJudgedByTheIdsThatTheOthersGet() {
		long last = database.query("select nextval('{schema}.job_id_seq')", Long.class);
		assertThat(this.records.store(List.of(delivery(-1), delivery(last + 1), delivery(last)))).singleElement()
			.extracting((delivery) -> delivery.message().id())
			.isEqualTo(last);
		assertThat(database.query("select count(*) from {schema}.job", Long.class)).isEqualTo(2);
	}

	/** The database is the shard 1, and has joined when it had given the ids to 2047. */
	@ParameterizedTest
	@CsvSource({ "1, true", "2047, true", "4097, true", "5121, false", "4098, true", "5122, true", "4099, false",
			"9223372036854775807, false" })
	void anIdOfAnotherShardIsKnownByItsNumber(long id, boolean given) {
		assertThat(
				new Given(4097, 1, 2048, Set.of((short) 1, (short) 2)).contains(JobMessage.of(id, "type", "queue", 0)))
			.isEqualTo(given);
	}

	private static Delivery delivery(long id) {
		return Delivery.of(JobMessage.of(id, "type", "default", 0), "record " + id, 1, "handle");
	}

}

package io.rowqueue.engine.lease;

import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** Rows that come as one value are read as what they were. */
class SentRecordTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	@Test
	void theFieldsOfASentRecordAreReadInOrder() {
		SentRecord record = record("""
				7::bigint, -3::integer, 'žluť 🐎'::text, 32767::smallint, timestamptz '2000-01-01 00:00:01Z',
				true, '{"a": 1}'::json""");
		assertThat(record.bigint()).isEqualTo(7);
		assertThat(record.integer()).isEqualTo(-3);
		assertThat(record.textOrNull()).isEqualTo("žluť 🐎");
		assertThat(record.smallint()).isEqualTo(32767);
		assertThat(record.time()).isEqualTo(1_000_000);
		assertThat(record.isTrue()).isTrue();
		assertThat(record.textOrNull()).isEqualTo("{\"a\": 1}");
	}

	@Test
	void nothingIsNotEmpty() {
		SentRecord record = record("null::smallint, 5::smallint, null::text, ''::text, false");
		assertThat(record.smallintOrNull()).isNull();
		assertThat(record.smallintOrNull()).isEqualTo(5);
		assertThat(record.textOrNull()).isNull();
		assertThat(record.textOrNull()).isEmpty();
		assertThat(record.isTrue()).isFalse();
	}

	@Test
	void equalTextsOfSeveralRowsAreOneObject() {
		RepeatedText types = new RepeatedText();
		String first = record("'žluť'::text").text(types);
		assertThat(first).isEqualTo("žluť").isSameAs("žluť");
		assertThat(record("'žluť'::text").text(types)).isSameAs(first);
	}

	@Test
	void aTextThatDiffersIsReadAnew() {
		RepeatedText types = new RepeatedText();
		assertThat(record("''::text").text(types)).isEmpty();
		assertThat(record("'mail'::text").text(types)).isEqualTo("mail");
		assertThat(record("'mails'::text").text(types)).isEqualTo("mails");
		assertThat(record("'mail'::text, 5").text(types)).isEqualTo("mail");
	}

	@Test
	void theFieldAfterARepeatedTextIsRead() {
		SentRecord record = record("'mail'::text, 5");
		assertThat(record.text(new RepeatedText())).isEqualTo("mail");
		assertThat(record.integer()).isEqualTo(5);
	}

	private static SentRecord record(String fields) {
		return new SentRecord(database.jdbc()
			.query("select record_send(row(" + fields + "))", (row, index) -> row.getBytes(1))
			.get(0));
	}

}

package io.rowqueue.migration;

import java.util.List;

import ch.qos.logback.classic.Level;
import io.rowqueue.migration.QueueSchemaException.Reason;
import io.rowqueue.postgres.QueueTables;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.Log;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * The rows of the schema came by a way that carries rows only, such as logical
 * replication, and the sequences are where they began.
 */
class SwitchOverTests {

	private static final String POSITION = "select last_value || ' ' || is_called from rowqueue.job_id_seq";

	private static final String FINISH = "insert into rowqueue.job_finished (id, run_at, created_at, finished_at, state,"
			+ " priority, attempt, queue, type) values (%s, now(), now(), now(), 'succeeded', 0, 1, 'default', 'mail')";

	@AutoClose
	private static final TestDatabase database = new TestDatabase();

	@BeforeAll
	static void createTables() {
		database.createTables();
	}

	@AfterEach
	void beginAnew() {
		database.removeRoles();
		QueueTables.empty(database.asOwner(), false, false);
		for (String sequence : IdSequences.names()) {
			database.execute("alter sequence rowqueue." + sequence + " increment by 1 restart with 1");
		}
	}

	@Test
	void aStartLetsTheSequenceContinueBeyondAllIds() {
		enqueue(5);
		database.execute(FINISH.formatted(7));
		forgetPositions();
		try (Log log = new Log(QueueSchema.class)) {
			start(SchemaMode.MIGRATE);
			assertThat(log.lines(Level.WARN)).singleElement()
				.asString()
				.contains("select setval('\"rowqueue\".job_id_seq', 1000007);");
		}
		assertThat(enqueue(1)).isEqualTo("1000008");
		start(SchemaMode.VALIDATE);
		start(SchemaMode.MIGRATE);
		assertThat(enqueue(1)).isEqualTo("1000009");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					job_id_seq            | insert into rowqueue.job (id, run_at, order_at, state, queue, type) values (40, now(), now(), 'queued', 'default', 'mail')
					job_id_seq            | insert into rowqueue.job_follow_up (id, unique_key, follows, run_at, priority, queue, type) values (40, 'k', 1, now(), 0, 'default', 'mail')
					job_id_seq            | insert into rowqueue.job_finished (id, run_at, created_at, finished_at, state, priority, attempt, queue, type) values (40, now(), now(), '2020-01-01', 'succeeded', 0, 1, 'default', 'mail')
					job_id_seq            | insert into rowqueue.outbox (id, queue, type) values (40, 'default', 'mail')
					job_id_seq            | insert into rowqueue.parked (job_id) values (40)
					flow_id_seq           | insert into rowqueue.flow (id, name) values (40, 'f')
					batch_id_seq          | insert into rowqueue.batch (id, name) values (40, 'b')
					operation_id_seq      | insert into rowqueue.operation (id, who, via, action, kind, name) overriding system value values (40, 'w', 'v', 'a', 'k', 'n')
					cancel_request_id_seq | insert into rowqueue.cancel_request (id, job_id) overriding system value values (40, 1)
					""")
	void aRowWithAnIdThatWasNotGivenIsNoticed(String sequence, String row) {
		database.execute(row);
		assertThat(refusal().getProblem()).contains("the sequence " + sequence + " has");
		database.execute(remedy(refusal()));
		assertThat(database.query("select nextval('rowqueue." + sequence + "')")).isEqualTo("1000041");
		start(SchemaMode.VALIDATE);
	}

	@Test
	void allSequencesAreComparedWithTheIdsOfTheirRows() {
		assertThat(database.query("select string_agg(relname, ' ' order by relname) from pg_class"
				+ " where relnamespace = 'rowqueue'::regnamespace and relkind = 'S'"
				// the numbers of handovers begin with the time, and number their rows
				+ " and relname not in ('shard_handover_batch_seq', 'shard_handover_row_id_seq')")
			.split(" ")).containsExactlyInAnyOrderElementsOf(IdSequences.names());
	}

	@ParameterizedTest
	@EnumSource
	void aStartLeavesSequencesAloneThatAreNotBehind(SchemaMode mode) {
		start(mode);
		assertThat(database.query(POSITION)).isEqualTo("1 false");
		enqueue(3);
		database.execute("select setval('rowqueue.job_id_seq', 500)");
		start(mode);
		assertThat(database.query(POSITION)).isEqualTo("500 true");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "select setval('rowqueue.job_id_seq', 1, false)", "select setval('rowqueue.job_id_seq', 4)" })
	void aRoleThatMayNotAdvanceASequenceIsRefusedWithTheRemedy(String forgotten) {
		String role = database.createRole();
		database.execute("grant usage on schema rowqueue to " + role);
		database.execute("grant select, insert, update, delete on all tables in schema rowqueue to " + role);
		database.execute("grant usage on all sequences in schema rowqueue to " + role);
		database.execute("grant execute on all functions in schema rowqueue to " + role);
		enqueue(5);
		database.execute(forgotten);
		QueueSchema schema = new QueueSchema(database.as(role), SchemaName.DEFAULT, SchemaMode.MIGRATE);
		assertThat(schema.isCurrent(database.as(role))).isFalse();
		QueueSchemaException refusal = catchThrowableOfType(QueueSchemaException.class, schema::initialize);
		assertThat(refusal.getReason()).isEqualTo(Reason.SEQUENCE_BEHIND);
		assertThat(refusal.getRemedy())
			.isEqualTo("Let the owner of the schema run: select setval('\"rowqueue\".job_id_seq', 1000005);");
		database.execute(remedy(refusal));
		schema.initialize();
		assertThat(enqueue(1)).isEqualTo("1000006");
	}

	@Test
	void theIdsOfAShardKeepTheirRemainderAndAreGreaterThanAllOfItsOwn() {
		database.execute("select rowqueue.join_shards(3::smallint, 'eu', 5000)");
		enqueue(5); // 5123, 6147, … 9219
		database.execute(FINISH.formatted(1_000_000_001)); // of another shard
		start(SchemaMode.VALIDATE);
		assertThat(enqueue(1)).isEqualTo("10243");

		database.execute("select setval('rowqueue.job_id_seq', 6147)");
		start(SchemaMode.MIGRATE);
		assertThat(Long.parseLong(enqueue(1))).isEqualTo(10243 + 1024L * 1_000_002);
	}

	@ParameterizedTest
	@ValueSource(strings = { "select setval('rowqueue.job_id_seq', 1, false)",
			// the sequence of a schema that was created anew
			"alter sequence rowqueue.job_id_seq increment by 1 restart with 1",
			"alter sequence rowqueue.job_id_seq increment by 1",
			// the greatest id of all rows is one of another shard
			"select setval('rowqueue.job_id_seq', 1000000001)" })
	void aShardThatHasLostItsRemainderOrStepGetsItAgain(String lost) {
		database.execute("select rowqueue.join_shards(3::smallint, 'eu', 5000)");
		enqueue(5);
		database.execute(FINISH.formatted(1_000_000_001));
		database.execute(lost);
		QueueSchemaException refusal = refusal();
		assertThat(refusal.getReason()).isEqualTo(Reason.SEQUENCE_BEHIND);

		start(SchemaMode.MIGRATE);
		long id = Long.parseLong(enqueue(1));
		assertThat(id).isGreaterThan(9219);
		assertThat(id % 1024).isEqualTo(3);
		assertThat(Long.parseLong(enqueue(1))).isEqualTo(id + 1024);
		start(SchemaMode.VALIDATE);
	}

	@Test
	void aShardThatHasJustJoinedIsNotBehind() {
		enqueue(5);
		database.execute("select rowqueue.join_shards(3::smallint, 'eu', 5000)");
		start(SchemaMode.VALIDATE);
		assertThat(Long.parseLong(enqueue(1)) % 1024).isEqualTo(3);
	}

	@Test
	void theRemedyIsValidForAnyNameOfASchema() {
		SchemaName schema = new SchemaName("Queue-2 a\"b'c\\d");
		new QueueSchema(database.asOwner(), schema, SchemaMode.MIGRATE).initialize();
		database.execute("insert into " + schema.quoted() + ".flow (id, name) values (40, 'f')");
		QueueSchema validated = new QueueSchema(database.asOwner(), schema, SchemaMode.VALIDATE);
		database.execute(remedy(catchThrowableOfType(QueueSchemaException.class, validated::initialize)));
		validated.initialize();
	}

	private void start(SchemaMode mode) {
		new QueueSchema(database.asOwner(), SchemaName.DEFAULT, mode).initialize();
		assertThat(isCurrent()).isTrue();
	}

	private static boolean isCurrent() {
		return new QueueSchema(database.asOwner()).isCurrent(database.asOwner());
	}

	private QueueSchemaException refusal() {
		assertThat(isCurrent()).isFalse();
		return catchThrowableOfType(QueueSchemaException.class, () -> start(SchemaMode.VALIDATE));
	}

	private static String remedy(QueueSchemaException refusal) {
		return refusal.getRemedy().substring(refusal.getRemedy().indexOf("run: ") + 5);
	}

	private String enqueue(int jobs) {
		return database.query("select max(rowqueue.enqueue('mail')) from generate_series(1, %s)".formatted(jobs));
	}

	private void forgetPositions() {
		for (String sequence : List.of("job_id_seq", "flow_id_seq", "batch_id_seq", "operation_id_seq")) {
			database.execute("select setval('rowqueue." + sequence + "', 1, false)");
		}
	}

}

package io.rowqueue.engine.operation;

import java.util.List;
import java.util.Map;

import io.rowqueue.admin.operation.Operation;
import io.rowqueue.admin.operation.OperationOutcome;
import io.rowqueue.admin.operation.Operations.Filter;
import io.rowqueue.admin.operation.Operations;
import io.rowqueue.admin.operation.RecordedOperation.State;
import io.rowqueue.admin.operation.RecordedOperation;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.dao.DataAccessException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** What people do leaves a record, also when it fails. */
class OperationsTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final Operations operations = new DefaultOperations(new OperationStore(database.queueDatabase()),
			new BulkStore(database.queueDatabase()));

	@AfterEach
	void recordAgain() {
		database.execute("alter table if exists {schema}.gone rename to operation");
	}

	@Test
	void whatIsDoneIsRecordedBeforeAndAfterwards() {
		long id = this.operations.perform(request("jobs", "42"), () -> {
			RecordedOperation begun = this.operations.list(Filter.ALL, Long.MAX_VALUE, 10).get(0);
			assertThat(begun.state()).isEqualTo(State.BEGUN);
			assertThat(begun.endedAt()).isNull();
			return 3;
		}, (jobs) -> OperationOutcome.done("done", jobs.longValue())).operation();
		RecordedOperation done = this.operations.find(id).orElseThrow();
		assertThat(done.state()).isEqualTo(State.DONE);
		assertThat(done.jobs()).isEqualTo(3);
		assertThat(done.who()).isEqualTo("ada");
		assertThat(done.address()).isEqualTo("10.0.0.7");
		assertThat(done.parameters()).containsExactly(Map.entry("delay", "10m"));
		assertThat(done.message()).isEqualTo("done");
		assertThat(done.endedAt()).isAfterOrEqualTo(done.at());
	}

	@Test
	void whatThrowsIsRecordedAsFailed() {
		assertThatIllegalStateException().isThrownBy(() -> this.operations.perform(request("jobs", "42"), () -> {
			throw new IllegalStateException("secret");
		}, (nothing) -> OperationOutcome.done("done", null)));
		RecordedOperation failed = this.operations.list(Filter.ALL, Long.MAX_VALUE, 10).get(0);
		assertThat(failed.state()).isEqualTo(State.FAILED);
		assertThat(failed.message()).contains("IllegalStateException").doesNotContain("secret");
	}

	@Test
	void nothingIsDoneThatCannotBeRecorded() {
		database.execute("alter table {schema}.operation rename to gone");
		assertThatExceptionOfType(DataAccessException.class)
			.isThrownBy(() -> this.operations.perform(request("jobs", "42"), () -> {
				throw new AssertionError("it was done");
			}, (nothing) -> OperationOutcome.done("done", null)));
	}

	@Test
	void whatWasDoneStaysDoneIfItsEndCannotBeRecorded() {
		assertThat(this.operations.perform(request("jobs", "42"), () -> {
			database.execute("alter table {schema}.operation rename to gone");
			return "done";
		}, (result) -> OperationOutcome.done(result, null)).result()).isEqualTo("done");
	}

	@Test
	void whatACrashLeftIsUnknown() {
		long id = perform("jobs", "42");
		database
			.update("update {schema}.operation set state = 'begun', ended_at = null, at = at - interval '16 minutes'");
		assertThat(this.operations.find(id).orElseThrow().state()).isEqualTo(State.UNKNOWN);
	}

	@Test
	void operationsAreListedTheLatestFirstInPages() {
		long first = perform("jobs", "42");
		long second = perform("queues", "mail");
		long third = perform("jobs", "42");
		long fourth = perform("jobs", "43");
		assertThat(ids(Filter.ALL, Long.MAX_VALUE, 2)).containsExactly(fourth, third);
		assertThat(ids(Filter.ALL, third, 2)).containsExactly(second, first);
		assertThat(ids(Filter.of("jobs", "42"), Long.MAX_VALUE, 10)).containsExactly(third, first);
		assertThat(ids(Filter.of("jobs", "42"), third, 10)).containsExactly(first);
		assertThat(ids(Filter.of("queues", null).who("ada").action("retry"), Long.MAX_VALUE, 10))
			.containsExactly(second);
		assertThat(ids(Filter.ALL.who("eve"), Long.MAX_VALUE, 10)).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> Filter.of(null, "mail"));
	}

	/** Invented texts can be recorded, and cannot imitate another record. */
	@Test
	void textsOfCallersAreOneLineOfBoundedLength() {
		long id = this.operations
			.perform(
					Operation.of("a\u0000b\nc", "endpoint", "x".repeat(9000), "jobs", "\u202egnp")
						.reason("\u0000")
						.parameters(Map.of("\u0000", "\u0000")),
					() -> "", (result) -> OperationOutcome.refused("no\nno"))
			.operation();
		RecordedOperation recorded = this.operations.find(id).orElseThrow();
		assertThat(recorded.who()).isEqualTo("a b c");
		assertThat(recorded.name()).isEqualTo(" gnp");
		assertThat(recorded.action()).hasSizeLessThan(600);
		assertThat(recorded.message()).isEqualTo("no no");
	}

	@Test
	void operationsAreKeptForAYear() {
		long old = perform("jobs", "42");
		long recent = perform("jobs", "42");
		database.update("update {schema}.operation set at = at - interval '366 days' where id = ?", old);
		database.execute("select {schema}.call_parts('retain', null)");
		assertThat(ids(Filter.ALL, Long.MAX_VALUE, 10)).containsExactly(recent);
	}

	@Test
	void oldOperationsAreDeletedInBatchesUntilNoneIsLeft() {
		database.execute("""
				insert into {schema}.operation (at, who, via, action, kind, name, state)
				select clock_timestamp() - interval '366 days', 'ada', 'endpoint', 'retry', 'jobs', g::text, 'done'
				from generate_series(1, 5001) g""");
		String retain = "select {schema}.call_parts('retain', null)";
		assertThat(database.list(retain, Boolean.class)).containsExactly(true);
		assertThat(database.list(retain, Boolean.class)).containsExactly(false);
		assertThat(ids(Filter.ALL, Long.MAX_VALUE, 10)).isEmpty();
	}

	private long perform(String kind, String name) {
		return this.operations.perform(request(kind, name), () -> "", (result) -> OperationOutcome.done("done", null))
			.operation();
	}

	private List<Long> ids(Filter filter, long before, int max) {
		return this.operations.list(filter, before, max).stream().map(RecordedOperation::id).toList();
	}

	private static Operation request(String kind, String name) {
		return Operation.of("ada", "endpoint", "retry", kind, name)
			.address("10.0.0.7")
			.parameters(Map.of("delay", "10m"));
	}

}

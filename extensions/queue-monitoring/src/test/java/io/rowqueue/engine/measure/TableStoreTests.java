package io.rowqueue.engine.measure;

import java.util.concurrent.Future;

import io.rowqueue.engine.measure.TableStore.TableSize;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** What the server knows of tables and of sessions that wait. */
class TableStoreTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final TableStore store = new TableStore(database.queueDatabase());

	@Test
	void allTablesAreThereAndPartitionsAreOne() {
		assertThat(this.store.sizes()).extracting(TableSize::name)
			.contains("job", "job_finished", "job_failure", "tally")
			.doesNotHaveDuplicates()
			.noneMatch((name) -> name.startsWith("job_finished_"));
		assertThat(this.store.sizes()).isSortedAccordingTo((one, other) -> Long.compare(other.bytes(), one.bytes()));
	}

	@Test
	void aSessionThatWaitsNamesTheOneItWaitsFor() throws Exception {
		assertThat(this.store.waits()).isEmpty();
		Future<Integer> waiting;
		try (OpenTransaction holder = database.begin()) {
			holder.execute("update {schema}.maintenance_task set next_run_at = now() where name = 'measure'");
			waiting = database.async(() -> database
				.update("update {schema}.maintenance_task set next_run_at = now() where name = 'measure'"));
			database.awaitBlockedStatement();
			assertThat(this.store.waits()).singleElement().satisfies((wait) -> {
				assertThat(wait.blockedBy()).hasSize(1).doesNotContain(wait.pid());
				assertThat(wait.lock()).isEqualTo("transactionid");
			});
		}
		assertThat(StoreDatabase.result(waiting)).isEqualTo(1);
	}

}

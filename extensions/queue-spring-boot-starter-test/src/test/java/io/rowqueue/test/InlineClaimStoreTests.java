package io.rowqueue.test;

import java.util.List;
import java.util.Map;
import java.util.Set;

import javax.sql.DataSource;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.lease.LeaseStore;
import io.rowqueue.engine.lease.LeaseStore.HeldLease;
import io.rowqueue.engine.worker.WorkerIdentity;
import io.rowqueue.engine.worker.WorkerStore;
import io.rowqueue.migration.QueueSchema;
import io.rowqueue.migration.SchemaMode;
import io.rowqueue.postgres.DevPostgres;
import io.rowqueue.schema.SchemaName;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

class InlineClaimStoreTests {

	@Test
	void aJobThatATestRunsHasAClaimRow() {
		DataSource dataSource = DevPostgres.shared().createDatabase("inline").dataSource();
		new QueueSchema(dataSource, SchemaName.DEFAULT, SchemaMode.MIGRATE).initialize();
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		QueueDatabase database = new QueueDatabase(jdbc, SchemaName.DEFAULT);
		long worker = new WorkerStore(database).register(new WorkerIdentity("inline", List.of(), List.of("type"),
				Map.of(), Map.of(), Map.of(), Set.of(), WorkerIdentity.DEFAULT_LEASE, false));
		jdbc.execute("select rowqueue.enqueue('type')");
		Lease lease = new InlineClaimStore(database).next(worker, List.of("type"), 0).orElseThrow().lease();
		assertThat(new LeaseStore(database).of(worker)).extracting(HeldLease::lease).containsExactly(lease);
	}

}

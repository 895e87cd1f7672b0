package io.rowqueue.engine.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BoundedReadsTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private static final String INSERT = "insert into {schema}.pause (kind, name) values ('queue', ?)";

	private Connection connection;

	private QueueDatabase session;

	@BeforeEach
	void connect() throws SQLException {
		this.connection = database.direct().getConnection();
		this.session = new QueueDatabase(new JdbcTemplate(new SingleConnectionDataSource(this.connection, true)),
				SchemaName.DEFAULT);
	}

	@AfterEach
	void disconnect() throws SQLException {
		this.connection.close();
	}

	@Test
	void bitmapScansAreOffForTheWorkAndItsChangesAreCommitted() {
		String during = BoundedReads.run(this.session, (bounded) -> {
			bounded.update(INSERT, "one");
			return setting(bounded);
		});
		assertThat(during).isEqualTo("off");
		assertThat(setting(this.session)).isEqualTo("on");
		assertThat(paused()).containsExactly("one");
	}

	@Test
	void aTransactionOfTheCallerContinuesWithItsOwnSetting() throws SQLException {
		this.connection.setAutoCommit(false);
		String during = BoundedReads.run(this.session, (bounded) -> {
			bounded.update(INSERT, "one");
			return setting(bounded);
		});
		assertThat(during).isEqualTo("off");
		assertThat(setting(this.session)).isEqualTo("on");
		assertThat(paused()).as("the caller has not committed").isEmpty();
		this.connection.rollback();
	}

	@Test
	void workThatFailsChangesNothing() throws SQLException {
		assertThatExceptionOfType(DataIntegrityViolationException.class)
			.isThrownBy(() -> BoundedReads.run(this.session, (bounded) -> {
				bounded.update(INSERT, "one");
				return bounded.update("insert into {schema}.pause (kind, name) values ('queue', null)");
			}));
		assertThat(this.connection.getAutoCommit()).isTrue();
		assertThat(setting(this.session)).isEqualTo("on");
		assertThat(paused()).isEmpty();
	}

	private static String setting(QueueDatabase database) {
		return database.query("show enable_bitmapscan", (row, index) -> row.getString(1)).get(0);
	}

	/** As another session sees it. */
	private static List<String> paused() {
		return database.queueDatabase().query("select name from {schema}.pause", (row, index) -> row.getString(1));
	}

}

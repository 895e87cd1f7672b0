package io.rowqueue.engine.enqueue;

import java.sql.SQLException;

import io.rowqueue.engine.database.IsolationStatement;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** What needs no transaction gets none. */
class SingleStatementTests {

	@AutoClose
	private final TestApplication application = new TestApplication(true);

	@AutoClose
	private final TestApplication withoutAutoCommit = new TestApplication(false);

	private final SingleStatement statement = new SingleStatement(this.application.pool(), new IsolationStatement());

	@Test
	void aSingleStatementCommitsByItself() throws SQLException {
		assertThat(this.statement.isAlone()).isTrue();
		boolean committed = this.statement.run(() -> {
			new JdbcTemplate(this.application.pool()).execute("insert into rowqueue.pause values ('queue', 'a')");
			return isPaused();
		}, () -> {
			throw new AssertionError();
		});
		assertThat(committed).isTrue();
	}

	@Test
	void aSingleStatementIsLeftToATransactionWhereConnectionsDoNotCommitByThemselves() throws SQLException {
		SingleStatement other = new SingleStatement(this.withoutAutoCommit.pool(), new IsolationStatement());
		assertThat(other.<String>run(() -> "by itself", () -> "in a transaction")).isEqualTo("in a transaction");
		assertThat(this.withoutAutoCommit.pool().getHikariPoolMXBean().getActiveConnections()).isZero();
	}

	@Test
	void aSingleStatementIsLeftToATransactionWhereItWouldHaveAnotherIsolation() throws SQLException {
		this.application.pool().setTransactionIsolation("TRANSACTION_SERIALIZABLE");
		assertThat(this.statement.<String>run(() -> "by itself", () -> "in a transaction"))
			.isEqualTo("in a transaction");
	}

	@Test
	void aSingleStatementIsNotAloneInATransactionOrAfterwards() {
		this.application.transaction().executeWithoutResult((status) -> assertThat(this.statement.isAlone()).isFalse());
		this.withoutAutoCommit.transaction()
			.executeWithoutResult((status) -> assertThat(this.statement.isAlone()).isFalse());
		assertThat(this.statement.isAlone()).isTrue();
	}

	@Test
	void aSingleStatementLeavesNothingBehindWhenItFails() {
		assertThatIllegalStateException().isThrownBy(() -> this.statement.run(() -> {
			throw new IllegalStateException("broken");
		}, () -> null));
		assertThat(TransactionSynchronizationManager.hasResource(this.application.pool())).isFalse();
		assertThat(this.application.pool().getHikariPoolMXBean().getActiveConnections()).isZero();
	}

	private boolean isPaused() {
		return !this.application.engine().jdbc().queryForList("select from rowqueue.pause").isEmpty();
	}

}

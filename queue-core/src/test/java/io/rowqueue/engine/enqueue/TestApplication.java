package io.rowqueue.engine.enqueue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.database.TransactionCheck;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Stores;
import io.rowqueue.testing.Transactions;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** An application with a transaction manager, and the wake-ups that it sends. */
final class TestApplication implements AutoCloseable {

	private final Engine engine = new Engine();

	private final HikariDataSource pool;

	private final JobQueue queue;

	private final WakeUps wakeUps;

	private final List<String> woken = new CopyOnWriteArrayList<>();

	TestApplication() {
		this(true);
	}

	TestApplication(boolean autoCommit) {
		this.pool = this.engine.pool(4);
		this.pool.setAutoCommit(autoCommit);
		Stores store = store(this.pool);
		this.wakeUps = store.wakeUps();
		this.wakeUps.listen((arrivals) -> this.woken.addAll(arrivals.queues()));
		this.queue = queue(this.pool, store);
	}

	private Stores store(DataSource application) {
		return new Stores(new JdbcTemplate(application), new JdbcTemplate(this.engine.dataSource()), SchemaName.DEFAULT,
				true);
	}

	private JobQueue queue(DataSource dataSource, Stores store) {
		return store.queue(dataSource, this.wakeUps);
	}

	/** A queue of the same application over another view of its connections. */
	JobQueue queueOver(DataSource dataSource) {
		return queue(dataSource, store(dataSource));
	}

	JobQueue queue() {
		return this.queue;
	}

	/** A queue of the same application that accepts other calls. */
	JobQueue queue(TransactionCheck.Mode accepted) {
		return store(this.pool).queue(new CallerTransaction(this.pool, false, new TransactionCheck(accepted)),
				this.wakeUps);
	}

	void enqueue(String queue) {
		this.queue.enqueue(JobRequest.of("test").queue(queue));
	}

	HikariDataSource pool() {
		return this.pool;
	}

	Engine engine() {
		return this.engine;
	}

	TransactionTemplate transaction() {
		return transaction(this.pool);
	}

	TransactionTemplate transaction(DataSource dataSource) {
		return Transactions.template(dataSource);
	}

	TransactionTemplate newTransaction() {
		TransactionTemplate transaction = transaction();
		transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		return transaction;
	}

	/** The queues of the committed jobs. */
	List<String> committed() {
		return this.engine.jdbc().queryForList("select queue from rowqueue.job order by id", String.class);
	}

	/** The queues whose workers were woken. */
	List<String> woken() {
		return this.woken;
	}

	@Override
	public void close() throws Exception {
		this.wakeUps.close();
		this.engine.close();
	}

}

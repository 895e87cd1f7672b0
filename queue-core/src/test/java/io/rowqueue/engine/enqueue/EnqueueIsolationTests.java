package io.rowqueue.engine.enqueue;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.EnqueueResult;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.Proxies;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A transaction that the queue begins is READ COMMITTED, whatever is the default of the
 * connections: an enqueue that waits for another transaction is not refused.
 */
@ParameterizedClass(name = "autoCommit={0}")
@ValueSource(booleans = { true, false })
class EnqueueIsolationTests {

	private static final JobRequest REPLACE = JobRequest.of("test", "mine")
		.uniqueKey("key")
		.duplicates(DuplicatePolicy.replace());

	private static final Map<String, BiFunction<JobQueue, JobRequest, Outcome>> ENQUEUES = enqueues();

	@Parameter
	boolean autoCommit;

	@AutoClose
	private TestApplication application;

	@BeforeEach
	void start() {
		this.application = new TestApplication(this.autoCommit);
	}

	private static Map<String, BiFunction<JobQueue, JobRequest, Outcome>> enqueues() {
		Map<String, BiFunction<JobQueue, JobRequest, Outcome>> all = new LinkedHashMap<>();
		all.put("one", (queue, request) -> queue.enqueue(request).outcome());
		all.put("list", (queue, request) -> last(queue.enqueueAll(List.of(request.uniqueKey("a"), request))));
		all.put("stream", (queue, request) -> {
			Outcome[] outcome = new Outcome[1];
			queue.enqueueAll(Stream.of(request), (result) -> outcome[0] = result.outcome());
			return outcome[0];
		});
		return all;
	}

	private static Outcome last(List<EnqueueResult> results) {
		return results.get(results.size() - 1).outcome();
	}

	static Stream<String> kinds() {
		return ENQUEUES.keySet().stream();
	}

	@ParameterizedTest
	@MethodSource("kinds")
	void aKeyThatAnotherTransactionTakesMeanwhileIsEnqueued(String kind) throws Exception {
		this.application.pool().setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
		assertThat(meetsAnother(() -> enqueue(kind))).isEqualTo(Outcome.REPLACED);
		assertThat(defaultIsolation()).isEqualTo("repeatable read");
	}

	@ParameterizedTest
	@MethodSource("kinds")
	void aKeyThatAnotherTransactionTakesMeanwhileIsEnqueuedAfterTheCommit(String kind) throws Exception {
		this.application.pool().setTransactionIsolation("TRANSACTION_SERIALIZABLE");
		assertThat(meetsAnother(() -> afterCommit(this.application.transaction(), () -> enqueue(kind))))
			.isEqualTo(Outcome.REPLACED);
		assertThat(defaultIsolation()).isEqualTo("serializable");
	}

	@ParameterizedTest
	@MethodSource("kinds")
	void aKeyIsEnqueuedAfterTheCommitOfATransactionWithAnIsolationOfItsOwn(String kind) throws Exception {
		assertThat(meetsAnother(() -> afterCommit(serializable(), () -> enqueue(kind)))).isEqualTo(Outcome.REPLACED);
		assertThat(defaultIsolation()).isEqualTo("read committed");
	}

	@Test
	void aConnectionThatHidesItsSessionIsAskedEachTime() throws Exception {
		this.application.pool().setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
		JobQueue queue = this.application.queueOver(new DelegatingDataSource(this.application.pool()) {

			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = super.getConnection();
				return Proxies.of(Connection.class,
						(proxy, method, arguments) -> method.getName().equals("isWrapperFor") ? (Object) false
								: Proxies.call(connection, method, arguments));
			}

		});
		assertThat(meetsAnother(() -> queue.enqueue(REPLACE).outcome())).isEqualTo(Outcome.REPLACED);
	}

	/** Nothing else would commit it where connections do not commit by themselves. */
	@Test
	void whatWasWrittenAfterTheCommitIsKeptByAnEnqueue() {
		afterCommit(serializable(), () -> {
			new JdbcTemplate(this.application.pool()).execute("insert into rowqueue.pause values ('queue', 'a')");
			return enqueue("one");
		});
		assertThat(this.application.engine().count("pause")).isOne();
		assertThat(this.application.committed()).hasSize(1);
	}

	private TransactionTemplate serializable() {
		TransactionTemplate transaction = this.application.transaction();
		transaction.setIsolationLevel(TransactionDefinition.ISOLATION_SERIALIZABLE);
		return transaction;
	}

	private Outcome enqueue(String kind) {
		return ENQUEUES.get(kind).apply(this.application.queue(), REPLACE);
	}

	private static Outcome afterCommit(TransactionTemplate transaction, EnqueueOfOne enqueue) {
		Outcome[] outcome = new Outcome[1];
		transaction.executeWithoutResult(
				(status) -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCommit() {
						outcome[0] = enqueue.run();
					}

				}));
		return outcome[0];
	}

	private Outcome meetsAnother(EnqueueOfOne enqueue) throws Exception {
		try (OpenTransaction other = this.application.engine().begin()) {
			other.execute("select {schema}.enqueue('test', unique_key => 'key')");
			CompletableFuture<Outcome> outcome = Async.supply(enqueue::run);
			await().until(() -> this.application.engine().isBlocked("%") || outcome.isDone());
			other.commit();
			return outcome.get();
		}
	}

	private String defaultIsolation() {
		return new JdbcTemplate(this.application.pool()).queryForObject("show default_transaction_isolation",
				String.class);
	}

	/** Returns the outcome for the key that the other transaction has. */
	@FunctionalInterface
	private interface EnqueueOfOne {

		Outcome run();

	}

}

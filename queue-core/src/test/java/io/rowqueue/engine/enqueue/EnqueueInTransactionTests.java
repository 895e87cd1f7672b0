package io.rowqueue.engine.enqueue;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.JobQueue;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.database.TransactionEndListener;
import io.rowqueue.flow.Batch;
import io.rowqueue.flow.Flow;
import io.rowqueue.testing.Transactions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * With both kinds of pools: connections that commit by themselves, and those that do not.
 */
@ParameterizedClass(name = "autoCommit={0}")
@ValueSource(booleans = { true, false })
class EnqueueInTransactionTests {

	@Parameter
	boolean autoCommit;

	@AutoClose
	private TestApplication application;

	@BeforeEach
	void start() {
		this.application = new TestApplication(this.autoCommit);
	}

	@Test
	void anEnqueueCommitsWithTheCaller() {
		this.application.transaction().executeWithoutResult((status) -> {
			this.application.enqueue("a");
			this.application.enqueue("b");
			assertThat(this.application.committed()).isEmpty();
			assertThat(this.application.woken()).isEmpty();
		});
		assertThat(this.application.committed()).containsExactly("a", "b");
		assertThat(this.application.woken()).containsExactly("a", "b");
	}

	/** It takes more than one statement to find that out. */
	@Test
	void aJobAfterOneThatIsUnknownLeavesNothingBehindWithoutACallersTransaction() {
		assertThatExceptionOfType(JobQueueException.class)
			.isThrownBy(() -> this.application.queue().enqueue(JobRequest.of("type").after(Long.MAX_VALUE)))
			.withMessageContaining("There is no job " + Long.MAX_VALUE);
		assertThat(this.application.committed()).isEmpty();
	}

	@Test
	void aCallerThatCommitsAfterSuchARejectionStoresNoJobThatIsBlockedForEver() {
		JobRequest rejected = JobRequest.of("type").after(Long.MAX_VALUE);
		this.application.transaction().executeWithoutResult((status) -> {
			assertThatExceptionOfType(JobQueueException.class)
				.isThrownBy(() -> this.application.queue().enqueue(rejected));
			assertThatExceptionOfType(JobQueueException.class)
				.isThrownBy(() -> this.application.queue().enqueueAll(List.of(JobRequest.of("type"), rejected)));
			assertThatExceptionOfType(JobQueueException.class)
				.isThrownBy(() -> this.application.queue().enqueue(Flow.named("flow").job("a", rejected)));
			assertThatExceptionOfType(JobQueueException.class)
				.isThrownBy(() -> this.application.queue().enqueueBatch(Batch.named("batch"), Stream.of(rejected)));
		});
		assertThat(this.application.committed()).isEmpty();
	}

	@Test
	void anEnqueueThatIsRejectedLeavesNothingInATransactionThatIsCommitted() {
		JobRequest taken = JobRequest.of("test").queue("taken").uniqueKey("taken");
		this.application.queue().enqueue(taken);
		JobRequest rejected = taken.duplicates(DuplicatePolicy.reject());
		JobRequest merged = taken.duplicates(DuplicatePolicy.merge(String.class, (existing, added) -> {
			throw new IllegalStateException("The function cannot merge");
		}));
		JobRequest valid = JobRequest.of("test").queue("lost");
		JobRequest last = JobRequest.of("test").after(Long.MAX_VALUE);
		JobQueue queue = this.application.queue();
		this.application.transaction().executeWithoutResult((status) -> {
			this.application.enqueue("before");
			assertIsRejected(() -> queue.enqueueAll(List.of(valid.uniqueKey("free"), rejected)));
			assertIsRejected(() -> queue.enqueueAll(List.of(valid, merged)));
			assertIsRejected(() -> queue
				.enqueueAll(Stream.concat(Collections.nCopies(1000, valid).stream(), Stream.generate(() -> {
					throw new IllegalStateException("The next request cannot be read");
				}))));
			assertIsRejected(() -> queue.enqueueAll(Stream.of(valid), (result) -> {
				throw new IllegalStateException("The consumer cannot receive results");
			}));
			assertIsRejected(() -> queue
				.enqueueAll(Stream.concat(Collections.nCopies(1000, valid).stream(), Stream.of(last)).toList()));
			assertIsRejected(() -> queue.enqueue(Flow.named("flow").job("a", valid).job("b", rejected)));
			assertIsRejected(() -> queue.enqueue(Flow.named("flow").job("a", last)));
			assertIsRejected(() -> queue.enqueueBatch(Batch.named("batch"), Stream.of(valid, rejected)));
			this.application.enqueue("after");
		});
		assertThat(this.application.committed()).containsExactly("taken", "before", "after");
		assertThat(this.application.woken()).containsExactly("taken", "before", "after");
		assertThat(this.application.engine().number("select count(*) from rowqueue.flow")).isZero();
		assertThat(this.application.engine().number("select count(*) from rowqueue.batch")).isZero();
	}

	/** As code in Kotlin may throw one anywhere. */
	@Test
	void anEnqueueThatACheckedExceptionEndsLeavesNothingInATransactionThatIsCommitted() {
		this.application.transaction()
			.executeWithoutResult((status) -> assertThatIOException()
				.isThrownBy(() -> this.application.queue().enqueueAll(thousandAndAFailure())));
		assertThat(this.application.committed()).isEmpty();
	}

	@Test
	void anEnqueueThatACheckedExceptionEndsLeavesNothingAfterTheTransaction() {
		this.application.transaction().executeWithoutResult((status) -> {
			read();
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCompletion(int completion) {
					EnqueueInTransactionTests.this.application.queue().enqueueAll(thousandAndAFailure());
				}

			});
		});
		assertThat(this.application.committed()).isEmpty();
	}

	private static Stream<JobRequest> thousandAndAFailure() {
		return Stream.concat(Collections.nCopies(1000, JobRequest.of("test")).stream(), Stream
			.generate(() -> EnqueueInTransactionTests.<RuntimeException>fail(new IOException("The file is broken"))));
	}

	@SuppressWarnings("unchecked")
	private static <E extends Exception> JobRequest fail(Exception ex) throws E {
		throw (E) ex;
	}

	@Test
	void jobsThatAreRejectedLeaveABatchAsItWas() {
		JobQueue queue = this.application.queue();
		JobRequest rejected = JobRequest.of("test").uniqueKey("taken").duplicates(DuplicatePolicy.reject());
		queue.enqueue(rejected);
		long batch = queue.enqueueBatch(Batch.named("batch").keepOpen(), Stream.of());
		this.application.transaction()
			.executeWithoutResult((status) -> assertIsRejected(
					() -> queue.addToBatch(batch, Stream.of(rejected.uniqueKey("free"), rejected))));
		assertThat(queue.findBatch(batch).orElseThrow().total()).isZero();
		assertThat(this.application.committed()).hasSize(1);
	}

	private static void assertIsRejected(Runnable enqueue) {
		assertThatException().isThrownBy(enqueue::run).isNotInstanceOf(DataAccessException.class);
	}

	/** It would cost two round trips more. */
	@Test
	void anEnqueueThatCannotBeRejectedAfterItHasWrittenNeedsNoSavepoint() {
		JobRequest request = JobRequest.of("test");
		this.application.transaction().executeWithoutResult((status) -> {
			JobQueue queue = this.application.queue();
			long first = queue.enqueueAll(Collections.nCopies(1500, request)).get(0).id();
			queue.enqueue(request.uniqueKey("key").duplicates(DuplicatePolicy.reject()));
			queue.enqueueAll(List.of(request.after(first), request.limitKey("limit"), request.uniqueKey("other")));
			queue.enqueue(Flow.named("flow").job("a", request.after(first)).job("b", request).after("a"));
			assertThat(new JdbcTemplate(this.application.pool()).queryForObject(
					"select count(*) from rowqueue.job where xmin <> pg_current_xact_id()::xid", Long.class))
				.as("jobs of a subtransaction")
				.isZero();
		});
	}

	@Test
	void anEnqueueRollsBackWithTheCallerAndWakesNoWorker() {
		this.application.transaction().executeWithoutResult((status) -> {
			this.application.enqueue("a");
			status.setRollbackOnly();
		});
		assertThatIllegalStateException()
			.isThrownBy(() -> this.application.transaction().executeWithoutResult((status) -> {
				this.application.enqueue("b");
				throw new IllegalStateException("broken");
			}));
		assertThat(this.application.committed()).isEmpty();
		assertThat(this.application.woken()).isEmpty();
	}

	@Test
	void aJobIsFoundInsideTheTransactionThatStoredIt() {
		this.application.transaction().executeWithoutResult((status) -> {
			long id = this.application.queue().enqueue("test", null).id();
			assertThat(this.application.queue().find(id)).isPresent();
		});
	}

	@Test
	void anEnqueueCommitsOnItsOwnWithoutATransaction() {
		this.application.enqueue("a");
		assertThat(this.application.committed()).containsExactly("a");
		assertThat(this.application.woken()).containsExactly("a");
	}

	@Test
	void anEnqueueCommitsOnItsOwnWhereAScopeHasNoTransaction() {
		TransactionTemplate scope = this.application.transaction();
		scope.setPropagationBehavior(TransactionDefinition.PROPAGATION_SUPPORTS);
		scope.executeWithoutResult((status) -> {
			read();
			this.application.enqueue("a");
			assertThat(this.application.committed()).containsExactly("a");
			assertThat(this.application.woken()).containsExactly("a");
		});
	}

	@Test
	void anEnqueueCommitsOnItsOwnInATransactionOfAnotherDatabase() {
		this.application.transaction(this.application.engine().dataSource()).executeWithoutResult((status) -> {
			this.application.enqueue("a");
			status.setRollbackOnly();
			assertThat(this.application.committed()).containsExactly("a");
			assertThat(this.application.woken()).containsExactly("a");
		});
		assertThat(this.application.committed()).containsExactly("a");
	}

	@Test
	void anEnqueueCommitsOnItsOwnInATransactionOfAnotherDatabaseThatHasReadFromTheQueues() {
		this.application.transaction(this.application.engine().dataSource()).executeWithoutResult((status) -> {
			read(); // binds a connection of the pool to the thread, without a transaction
			this.application.enqueue("a");
			assertThat(this.application.committed()).containsExactly("a");
		});
		assertThat(this.application.committed()).containsExactly("a");
		assertThat(this.application.woken()).containsExactly("a");
	}

	@Test
	void anEnqueueJoinsTheTransactionOfAManagerThatOnlyBindsItsConnection() throws SQLException {
		try (Connection connection = this.application.pool().getConnection()) {
			connection.setAutoCommit(false);
			BindingTransactionManager manager = TransactionEndListener
				.addTo(new BindingTransactionManager(this.application, connection));
			new TransactionTemplate(manager).executeWithoutResult((status) -> {
				this.application.enqueue("a");
				assertThat(this.application.committed()).isEmpty();
			});
			assertThat(this.application.committed()).containsExactly("a");
			assertThat(this.application.woken()).containsExactly("a");
			new TransactionTemplate(manager).executeWithoutResult((status) -> {
				this.application.enqueue("b");
				status.setRollbackOnly();
			});
		}
		assertThat(this.application.committed()).containsExactly("a");
	}

	/** Nobody could say whether it commits the job. */
	@Test
	void anEnqueueIsRejectedInATransactionWhoseEndIsUnknown() throws SQLException {
		try (Connection connection = this.application.pool().getConnection()) {
			connection.setAutoCommit(false);
			for (PlatformTransactionManager unknown : List.of(new DataSourceTransactionManager(this.application.pool()),
					new BindingTransactionManager(this.application, connection))) {
				TransactionTemplate transaction = new TransactionTemplate(unknown);
				transaction.executeWithoutResult((status) -> {
					assertIsUnknown();
					afterCommit(this::assertIsUnknown);
				});
			}
		}
		assertThat(this.application.committed()).isEmpty();
	}

	private void assertIsUnknown() {
		assertThatExceptionOfType(JobQueueException.class).isThrownBy(() -> this.application.enqueue("lost"))
			.withMessageContaining("Declare it as a bean");
	}

	@Test
	void afterTheCommitAnEnqueueJoinsTheTransactionsThatBeginThere() {
		List<String> expected = new ArrayList<>();
		for (int propagation : List.of(TransactionDefinition.PROPAGATION_REQUIRES_NEW,
				TransactionDefinition.PROPAGATION_REQUIRED, TransactionDefinition.PROPAGATION_NOT_SUPPORTED)) {
			TransactionTemplate inner = this.application.transaction();
			inner.setPropagationBehavior(propagation);
			this.application.transaction().executeWithoutResult((outer) -> afterCommit(() -> {
				inner.executeWithoutResult((status) -> {
					this.application.enqueue("rolled back " + propagation);
					status.setRollbackOnly();
				});
				inner.executeWithoutResult((status) -> this.application.enqueue("inner " + propagation));
				this.application.enqueue("outer " + propagation);
			}));
			if (propagation != TransactionDefinition.PROPAGATION_REQUIRES_NEW) {
				expected.add("rolled back " + propagation); // no transaction has begun
			}
			expected.addAll(List.of("inner " + propagation, "outer " + propagation));
		}
		assertThat(this.application.committed()).containsExactlyElementsOf(expected);
	}

	/** The other manager's transaction ends in the one that is still open. */
	@Test
	void theEndOfAnotherDatabasesTransactionIsNotTheEndOfTheQueues() {
		TransactionTemplate other = this.application.transaction(this.application.engine().dataSource());
		this.application.transaction().executeWithoutResult((status) -> {
			other.executeWithoutResult((inner) -> {
				this.application.enqueue("in");
				afterCommit(() -> this.application.enqueue("after commit"));
				afterCompletion(() -> this.application.enqueue("after completion"));
			});
			assertThat(this.application.committed()).isEmpty();
			assertThat(this.application.woken()).isEmpty();
			status.setRollbackOnly();
		});
		assertThat(this.application.committed()).isEmpty();
		assertThat(this.application.woken()).isEmpty();
	}

	@Test
	void aTransactionThatBeginsAfterTheCommitOfAnotherDatabasesIsOneOfItsOwn() {
		this.application.transaction(this.application.engine().dataSource()).executeWithoutResult((other) -> {
			afterCommit(() -> this.application.transaction().executeWithoutResult((status) -> {
				this.application.enqueue("rolled back");
				status.setRollbackOnly();
			}));
			afterCompletion(() -> this.application.transaction()
				.executeWithoutResult((status) -> this.application.enqueue("committed")));
		});
		assertThat(this.application.committed()).containsExactly("committed");
	}

	@Test
	void afterARollbackOfASavepointTheTransactionGoesOn() {
		TransactionTemplate nested = this.application.transaction();
		nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		this.application.transaction().executeWithoutResult((status) -> {
			nested.executeWithoutResult((inner) -> {
				this.application.enqueue("rolled back");
				inner.setRollbackOnly();
			});
			nested.executeWithoutResult((inner) -> this.application.enqueue("kept"));
			this.application.enqueue("last");
			assertThat(this.application.committed()).isEmpty();
		});
		assertThat(this.application.committed()).containsExactly("kept", "last");
	}

	@Test
	void anEnqueueAfterACommitThatAListenerHasPreventedIsStored() {
		DataSourceTransactionManager manager = Transactions.manager(this.application.pool());
		manager.addListener(new TransactionExecutionListener() {

			@Override
			public void beforeCommit(TransactionExecution transaction) {
				throw new IllegalStateException("not now");
			}

		});
		assertThatIllegalStateException()
			.isThrownBy(() -> new TransactionTemplate(manager).executeWithoutResult((status) -> {
				this.application.enqueue("rolled back");
				afterCompletion(() -> this.application.enqueue("after"));
			}));
		this.application.enqueue("next");
		assertThat(this.application.committed()).containsExactly("after", "next");
		assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
	}

	@Test
	void theWakeUpsOfASuspendedTransactionAreKeptSeparately() {
		this.application.transaction().executeWithoutResult((outer) -> {
			this.application.enqueue("outer");
			this.application.newTransaction().executeWithoutResult((inner) -> this.application.enqueue("inner"));
			assertThat(this.application.committed()).containsExactly("inner");
			assertThat(this.application.woken()).containsExactly("inner");
			this.application.enqueue("later");
			this.application.newTransaction().executeWithoutResult((inner) -> {
				this.application.enqueue("lost");
				inner.setRollbackOnly();
			});
			assertThat(this.application.woken()).containsExactly("inner");
		});
		assertThat(this.application.committed()).containsExactlyInAnyOrder("outer", "inner", "later");
		assertThat(this.application.woken()).containsExactly("inner", "outer", "later");
	}

	@Test
	void aJobOfAnInnerTransactionRemainsWhenTheOuterOneRollsBack() {
		this.application.transaction().executeWithoutResult((outer) -> {
			this.application.enqueue("outer");
			this.application.newTransaction().executeWithoutResult((inner) -> this.application.enqueue("inner"));
			outer.setRollbackOnly();
		});
		assertThat(this.application.committed()).containsExactly("inner");
		assertThat(this.application.woken()).containsExactly("inner");
	}

	@Test
	void anEnqueueLeavesNothingBehindForTheNextTransaction() {
		this.application.transaction().executeWithoutResult((status) -> {
			this.application.enqueue("a");
			status.setRollbackOnly();
		});
		this.application.transaction().executeWithoutResult((status) -> this.application.enqueue("b"));
		assertThat(this.application.woken()).containsExactly("b");
		assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
	}

	@Test
	void anEnqueueJoinsTheTransactionThroughAProxyThatKnowsOfTransactions() {
		JobQueue queue = this.application.queueOver(new TransactionAwareDataSourceProxy(this.application.pool()));
		this.application.transaction().executeWithoutResult((status) -> {
			queue.enqueue("test", null);
			assertThat(this.application.committed()).isEmpty();
			status.setRollbackOnly();
		});
		assertThat(this.application.committed()).isEmpty();
		queue.enqueue("test", null);
		assertThat(this.application.committed()).hasSize(1);
	}

	@Test
	void anEnqueueJoinsTheTransactionOfALazyConnection() {
		LazyConnectionDataSourceProxy lazy = new LazyConnectionDataSourceProxy(this.application.pool());
		JobQueue queue = this.application.queueOver(lazy);
		this.application.transaction(lazy).executeWithoutResult((status) -> {
			queue.enqueue("test", null);
			status.setRollbackOnly();
		});
		assertThat(this.application.committed()).isEmpty();
		this.application.transaction(lazy).executeWithoutResult((status) -> queue.enqueue("test", null));
		assertThat(this.application.committed()).hasSize(1);
	}

	@Test
	void aJobThatIsEnqueuedRightAfterTheCommitIsStored() {
		this.application.transaction().executeWithoutResult((status) -> {
			read();
			afterCommit(() -> {
				this.application.enqueue("a");
				this.application.enqueue("b");
			});
		});
		assertThat(this.application.committed()).containsExactly("a", "b");
		assertThat(this.application.woken()).contains("a", "b");
	}

	@Test
	void aJobThatIsEnqueuedRightAfterTheCommitOfOthersIsStored() {
		this.application.transaction().executeWithoutResult((status) -> {
			afterCommit(() -> this.application.enqueue("before"));
			this.application.enqueue("inside");
			afterCommit(() -> this.application.enqueue("after"));
		});
		assertThat(this.application.committed()).containsExactly("inside", "before", "after");
		assertThat(this.application.woken()).contains("inside", "before", "after");
	}

	@Test
	void aJobThatIsEnqueuedJustBeforeTheCommitIsStored() {
		this.application.transaction()
			.executeWithoutResult((status) -> TransactionSynchronizationManager
				.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void beforeCommit(boolean readOnly) {
						EnqueueInTransactionTests.this.application.enqueue("before commit");
					}

					@Override
					public void beforeCompletion() {
						EnqueueInTransactionTests.this.application.enqueue("before completion");
					}

				}));
		assertThat(this.application.committed()).containsExactly("before commit", "before completion");
		assertThat(this.application.woken()).containsExactlyInAnyOrder("before commit", "before completion");
	}

	@Test
	void jobsThatAreEnqueuedJustBeforeAndRightAfterTheCommitAreStored() {
		this.application.transaction()
			.executeWithoutResult((status) -> TransactionSynchronizationManager
				.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void beforeCompletion() {
						EnqueueInTransactionTests.this.application.enqueue("before completion");
					}

					@Override
					public void afterCommit() {
						EnqueueInTransactionTests.this.application.enqueue("after commit");
					}

				}));
		assertThat(this.application.committed()).containsExactly("before completion", "after commit");
		assertThat(this.application.woken()).contains("before completion", "after commit");
	}

	@Test
	void aJobThatIsEnqueuedAfterTheTransactionIsStored() {
		List<Integer> completions = new ArrayList<>();
		for (boolean rollback : new boolean[] { false, true }) {
			this.application.transaction().executeWithoutResult((status) -> {
				read();
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCompletion(int completion) {
						completions.add(completion);
						EnqueueInTransactionTests.this.application.enqueue("over " + completion);
					}

				});
				if (rollback) {
					status.setRollbackOnly();
				}
			});
		}
		assertThat(completions).containsExactly(TransactionSynchronization.STATUS_COMMITTED,
				TransactionSynchronization.STATUS_ROLLED_BACK);
		assertThat(this.application.committed()).containsExactly("over 0", "over 1");
		assertThat(this.application.woken()).containsExactly("over 0", "over 1");
	}

	@Test
	void anEnqueueStoresThousandsTogetherOrNotAtAll() {
		List<JobRequest> requests = new ArrayList<>();
		for (int i = 0; i < 2500; i++) {
			requests.add(JobRequest.of("test", i));
		}
		this.application.transaction().executeWithoutResult((status) -> {
			assertThat(this.application.queue().enqueueAll(requests)).hasSize(2500);
			status.setRollbackOnly();
		});
		assertThat(this.application.committed()).isEmpty();
		assertThat(this.application.queue().enqueueAll(requests)).hasSize(2500)
			.allMatch((result) -> result.created())
			.extracting((result) -> result.id())
			.isSorted()
			.doesNotHaveDuplicates();
		assertThat(this.application.engine()
			.number("select count(*) from rowqueue.job where payload::text::int = id - (select min(id) from rowqueue.job)"))
			.isEqualTo(2500);
		assertThat(this.application.woken()).containsExactly("default");
	}

	private void read() {
		new JdbcTemplate(this.application.pool()).queryForObject("select count(*) from rowqueue.job", Long.class);
	}

	private static void afterCommit(Runnable action) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCommit() {
				action.run();
			}

		});
	}

	private static void afterCompletion(Runnable action) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCompletion(int status) {
				action.run();
			}

		});
	}

	/** Exposes its connection as JPA does: bound, and nothing more is said about it. */
	private static final class BindingTransactionManager extends AbstractPlatformTransactionManager {

		private final transient TestApplication application;

		private final transient Connection connection;

		BindingTransactionManager(TestApplication application, Connection connection) {
			this.application = application;
			this.connection = connection;
		}

		@Override
		protected Object doGetTransaction() {
			return new BoundConnection();
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			ConnectionHolder holder = new ConnectionHolder(this.connection);
			TransactionSynchronizationManager.bindResource(this.application.pool(), holder);
			((BoundConnection) transaction).setConnectionHolder(holder);
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			end(() -> this.connection.commit());
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			end(() -> this.connection.rollback());
		}

		@Override
		protected void doCleanupAfterCompletion(Object transaction) {
			TransactionSynchronizationManager.unbindResource(this.application.pool());
		}

		private static final class BoundConnection extends JdbcTransactionObjectSupport {

			@Override
			public boolean isRollbackOnly() {
				return false;
			}

		}

		private static void end(End end) {
			try {
				end.run();
			}
			catch (SQLException ex) {
				throw new IllegalStateException(ex);
			}
		}

		private interface End {

			void run() throws SQLException;

		}

	}

}

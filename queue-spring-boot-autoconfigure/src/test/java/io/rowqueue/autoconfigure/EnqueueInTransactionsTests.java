package io.rowqueue.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.rowqueue.EnqueueResult;
import io.rowqueue.Job;
import io.rowqueue.JobQueue;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.autoconfigure.Notes.Note;
import io.rowqueue.control.CancelResult;
import io.rowqueue.engine.job.BatchStore;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.flow.Batch;
import io.rowqueue.postgres.Dose;
import io.rowqueue.schedule.BackfillRange;
import io.rowqueue.schedule.Rhythm;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.window.Window;
import io.rowqueue.window.Windows;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A job is enqueued in the application's transactions, with any transaction manager. */
@ParameterizedClass
@MethodSource("applications")
class EnqueueInTransactionsTests {

	@RegisterExtension
	private static final TestDatabase DATABASE = new TestDatabase();

	private static OpenApplication shared;

	private final ApplicationContextRunner application;

	EnqueueInTransactionsTests(Managed managed) {
		this.application = managed.application();
	}

	/** One application for most of the tests: none of them changes it. */
	@BeforeParameterizedClassInvocation
	static void open(Managed managed) {
		shared = new OpenApplication(managed.application());
	}

	@AfterParameterizedClassInvocation
	static void close() {
		shared.close();
	}

	static Stream<Managed> applications() {
		return Stream
			.of(new Managed(false, true, null), new Managed(true, false, null),
					new Managed(false, false, LazyConnectionDataSourceProxy::new), new Managed(false, false, null),
					new Managed(true, true, null), new Managed(true, true, LazyConnectionDataSourceProxy::new),
					new Managed(false, true, TransactionAwareDataSourceProxy::new))
			.limit(Dose.of(3, 7));
	}

	@BeforeAll
	static void createTable() {
		DATABASE.execute("create table purchase (id bigint primary key, name text not null)");
	}

	@BeforeEach
	void forget() {
		DATABASE.execute("truncate purchase");
	}

	@Test
	void anEnqueueCommitsTheJobTogetherWithTheApplicationsData() {
		run((parts) -> {
			long id = parts.inTransaction(() -> {
				parts.insert(1);
				long enqueued = parts.enqueue();
				assertThat(parts.queue.find(enqueued)).isPresent();
				assertThat(isCommitted(enqueued)).isFalse();
				return enqueued;
			});
			assertThat(isCommitted(id)).isTrue();
			assertThat(purchases()).isOne();
		});
	}

	@Test
	void anEnqueueRollsTheJobBackTogetherWithTheApplicationsData() {
		run((parts) -> {
			long[] id = new long[1];
			assertThatThrownBy(() -> parts.inTransaction(() -> {
				parts.insert(1);
				id[0] = parts.enqueue();
				throw new IllegalArgumentException("no");
			})).hasMessage("no");
			assertThat(parts.queue.find(id[0])).isEmpty();
			assertThat(purchases()).isZero();
		});
	}

	@Test
	void aChangeOfTheAdministrationRollsBackTogetherWithTheApplicationsData() {
		run((parts) -> {
			long id = parts.enqueue();
			assertThatThrownBy(() -> parts.inTransaction(() -> {
				parts.insert(1);
				assertThat(parts.admin.job(id).cancel()).isEqualTo(CancelResult.CANCELLED);
				assertThat(parts.queue.find(id).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
				throw new IllegalArgumentException("no");
			})).hasMessage("no");
			assertThat(parts.queue.find(id).orElseThrow().state()).isNotEqualTo(JobState.CANCELLED);
			assertThat(purchases()).isZero();
			parts.inTransaction(() -> parts.admin.job(id).cancel());
			assertThat(parts.queue.find(id).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
		});
	}

	@Test
	void aJobThatWasEnqueuedBeforeTheDataIsRejectedIsRolledBack() {
		run((parts) -> {
			long[] id = new long[1];
			assertThatException().isThrownBy(() -> parts.inTransaction(() -> {
				id[0] = parts.enqueue();
				parts.insertWithoutName(1); // JPA sends it with the commit
				return null;
			}));
			assertThat(parts.queue.find(id[0])).isEmpty();
		});
	}

	@Test
	void anEnqueueCommitsAJobThatIsTheFirstStatement() {
		run((parts) -> assertThat(isCommitted(parts.inTransaction(parts::enqueue))).isTrue());
	}

	@Test
	void anEnqueueCommitsEachJobByItselfWithoutATransaction() {
		run((parts) -> assertThat(isCommitted(parts.enqueue())).isTrue());
	}

	@Test
	void changesOfSchedulesAndWindowsAreCommittedWithoutATransaction() {
		run((parts) -> {
			Schedules schedules = parts.context.getBean(Schedules.class);
			schedules.put(Schedule.of("hourly", Rhythm.every(Duration.ofHours(1)), JobRequest.of("t")));
			assertThat(DATABASE.count("select count(*) from rowqueue.schedule where name = 'hourly'")).isOne();
			assertThat(isCommitted(schedules.trigger("hourly").orElseThrow())).isTrue();
			schedules.pause("hourly", "a test");
			assertThat(DATABASE.count("select count(*) from rowqueue.schedule where paused_at is not null")).isOne();
			schedules.resume("hourly");
			assertThat(DATABASE.count("select count(*) from rowqueue.schedule where paused_at is null")).isOne();
			assertThat(schedules.remove("hourly")).isTrue();
			assertThat(DATABASE.count("select count(*) from rowqueue.schedule")).isZero();
			Windows windows = parts.context.getBean(Windows.class);
			windows.put(Window.of("night", "UTC", "22:00-06:00").queues("reports"));
			assertThat(DATABASE.count("select count(*) from rowqueue.time_window")).isOne();
			windows.remove("night");
			assertThat(DATABASE.count("select count(*) from rowqueue.time_window")).isZero();
		});
	}

	/** As the endpoint and the dashboard do. */
	@Test
	void theEndOfABatchIsCommittedWithoutATransaction() {
		run((parts) -> {
			long batch = parts.queue.enqueueBatch(Batch.named("import").keepOpen(), Stream.of(JobRequest.of("t")));
			assertThat(parts.context.getBean(BatchStore.class).close(batch)).isTrue();
			assertThat(
					DATABASE.count("select count(*) from rowqueue.batch where closed_at is not null and id = " + batch))
				.isOne();
		});
	}

	@Test
	void changesOfSchedulesAndWindowsRollBackTogetherWithTheApplicationsData() {
		run((parts) -> {
			Schedules schedules = parts.context.getBean(Schedules.class);
			Windows windows = parts.context.getBean(Windows.class);
			assertThatThrownBy(() -> parts.inTransaction(() -> {
				parts.insert(1);
				schedules.put(Schedule.of("hourly", Rhythm.every(Duration.ofHours(1)), JobRequest.of("t")));
				windows.put(Window.of("night", "UTC", "22:00-06:00"));
				assertThat(schedules.find("hourly")).isPresent();
				assertThat(windows.find("night")).isPresent();
				throw new IllegalArgumentException("no");
			})).hasMessage("no");
			assertThat(schedules.list()).isEmpty();
			assertThat(windows.list()).isEmpty();
		});
	}

	@Test
	void jobsOfSchedulesWakeTheWorkersAfterTheCommit() {
		run((parts) -> {
			Schedules schedules = parts.context.getBean(Schedules.class);
			schedules
				.put(Schedule.of("hourly", Rhythm.every(Duration.ofHours(1)), JobRequest.of("t").queue("triggered")));
			List<String> woken = new ArrayList<>();
			try (WakeUps.Registration listening = parts.context.getBean(WakeUps.class)
				.listen((arrivals) -> woken.addAll(arrivals.queues()))) {
				Instant end = Instant.now();
				BackfillRange range = BackfillRange.missing(end.minus(Duration.ofHours(2)), end);
				for (Runnable change : List.<Runnable>of(() -> schedules.trigger("hourly"),
						() -> schedules.backfill("hourly", range))) {
					parts.inTransaction(() -> {
						change.run();
						assertThat(woken).isEmpty();
						return null;
					});
					assertThat(woken).containsExactly("triggered");
					woken.clear();
				}
			}
			schedules.remove("hourly");
		});
	}

	@Test
	void anEnqueueCommitsAJobThatLeavesTheTransaction() {
		run((parts) -> {
			long[] id = new long[1];
			assertThatThrownBy(() -> parts.inTransaction(() -> {
				parts.insert(1);
				id[0] = parts.in(TransactionDefinition.PROPAGATION_NOT_SUPPORTED, () -> {
					assertThat(parts.jdbc.queryForObject("select count(*) from purchase", Long.class)).isZero();
					return parts.enqueue();
				});
				throw new IllegalArgumentException("no");
			})).hasMessage("no");
			assertThat(isCommitted(id[0])).isTrue();
			assertThat(purchases()).isZero();
		});
	}

	@Test
	void anEnqueueCommitsAJobWithAnInnerTransactionOfItsOwn() {
		run((parts) -> {
			long[] id = new long[1];
			assertThatThrownBy(() -> parts.inTransaction(() -> {
				parts.insert(1);
				id[0] = parts.in(TransactionDefinition.PROPAGATION_REQUIRES_NEW, parts::enqueue);
				throw new IllegalArgumentException("no");
			})).hasMessage("no");
			assertThat(isCommitted(id[0])).isTrue();
		});
	}

	@Test
	void anEnqueueInAReadOnlyTransactionFailsWithTheReason() {
		run((parts) -> {
			TransactionTemplate readOnly = new TransactionTemplate(parts.manager);
			readOnly.setReadOnly(true);
			long id = parts.enqueue();
			Schedules schedules = parts.context.getBean(Schedules.class);
			readOnly.executeWithoutResult((status) -> {
				for (Runnable change : List.<Runnable>of(parts::enqueue, () -> parts.queue.signal(id, "a", null),
						() -> parts.admin.cancel(id), () -> parts.admin.pauseType("t", null))) {
					assertThatExceptionOfType(JobQueueException.class).isThrownBy(change::run)
						.withMessageStartingWith("The transaction is read-only (@Transactional(readOnly = true))");
				}
				assertThat(parts.queue.find(id)).isPresent();
				assertThat(parts.admin.job("no such key").find()).isEmpty();
				assertThat(schedules.list()).isEmpty();
				assertThat(parts.context.getBean(Windows.class).list()).isEmpty();
			});
		});
	}

	@Test
	void anEnqueueKeepsAJobThatAListenerEnqueuesAfterTheCommit() {
		run((parts) -> {
			Listeners listeners = parts.context.getBean(Listeners.class);
			parts.inTransaction(() -> {
				parts.insert(1);
				parts.publish("first");
				parts.publish("second");
				return null;
			});
			assertThat(isCommitted(listeners.enqueued.get("first"))).isTrue();
			assertThat(isCommitted(listeners.enqueued.get("second"))).isTrue();
		});
	}

	@Test
	void aListenerNeedsNoSecondConnection() {
		this.application.withPropertyValues("spring.datasource.hikari.maximum-pool-size=1").run((context) -> {
			Parts parts = new Parts(context);
			parts.inTransaction(() -> {
				parts.insert(1);
				parts.publish("only");
				return null;
			});
			assertThat(isCommitted(context.getBean(Listeners.class).enqueued.get("only"))).isTrue();
			assertThat(isCommitted(parts.inTransaction(parts::enqueue))).isTrue();
		});
	}

	@Test
	void anEnqueueKeepsAJobThatAListenerEnqueuesAfterAReadOnlyTransaction() {
		run((parts) -> {
			TransactionTemplate readOnly = new TransactionTemplate(parts.manager);
			readOnly.setReadOnly(true);
			readOnly.executeWithoutResult((status) -> parts.publish("read only"));
			assertThat(isCommitted(parts.context.getBean(Listeners.class).enqueued.get("read only"))).isTrue();
		});
	}

	@Test
	void anEnqueueKeepsAJobThatAListenerEnqueuesAfterARollback() {
		run((parts) -> {
			assertThatThrownBy(() -> parts.inTransaction(() -> {
				parts.insert(1);
				parts.publish("rolled back");
				throw new IllegalArgumentException("no");
			})).hasMessage("no");
			assertThat(isCommitted(parts.context.getBean(Listeners.class).enqueued.get("rolled back"))).isTrue();
			assertThat(purchases()).isZero();
		});
	}

	@Test
	void anEnqueueKeepsAJobThatASynchronizationEnqueuesAfterTheCommit() {
		run((parts) -> {
			long[] ids = new long[2];
			parts.inTransaction(() -> {
				parts.insert(1);
				parts.enqueue();
				afterCommit(() -> ids[0] = parts.enqueue());
				afterCommit(() -> ids[1] = parts.queue.enqueue(JobRequest.of("t").delay(Duration.ofHours(1))).id());
				return null;
			});
			assertThat(isCommitted(ids[0])).isTrue();
			assertThat(isCommitted(ids[1])).isTrue();
			assertThat(purchases()).isOne();
		});
	}

	@Test
	void afterTheCommitAnEnqueueJoinsANewTransactionOnly() {
		run((parts) -> {
			long[] ids = new long[3];
			parts.inTransaction(() -> {
				parts.insert(1);
				afterCommit(() -> {
					ids[0] = parts.inTransaction(parts::enqueue);
					ids[1] = parts.in(TransactionDefinition.PROPAGATION_REQUIRES_NEW, parts::enqueue);
					assertThatThrownBy(() -> parts.in(TransactionDefinition.PROPAGATION_REQUIRES_NEW, () -> {
						ids[2] = parts.enqueue();
						throw new IllegalStateException("broken");
					})).hasMessage("broken");
				});
				return null;
			});
			assertThat(LongStream.of(ids).mapToObj(EnqueueInTransactionsTests::isCommitted)).containsExactly(true, true,
					false);
		});
	}

	@Test
	void enqueueingContinuesAfterAFailureThatFollowedTheCommit() {
		run((parts) -> {
			parts.inTransaction(() -> {
				afterCompletion(() -> parts.queue.enqueue("t", new Object() {

					@SuppressWarnings("unused")
					public Object getBroken() {
						throw new IllegalStateException("broken payload");
					}

				}));
				return parts.enqueue();
			});
			assertThat(isCommitted(parts.inTransaction(parts::enqueue))).isTrue();
			assertThat(isCommitted(parts.enqueue())).isTrue();
		});
	}

	@Test
	void anEnqueueWakesTheWorkerWhereverTheJobIsEnqueued() {
		run((parts) -> {
			parts.note("without");
			parts.inTransaction(() -> {
				parts.note("inside");
				afterCommit(() -> parts.note("after commit"));
				afterCompletion(() -> parts.note("after completion"));
				return null;
			});
			Notes notes = parts.context.getBean(Notes.class);
			notes.await(4);
			assertThat(notes.texts()).containsExactlyInAnyOrder("without", "inside", "after commit",
					"after completion");
		});
	}

	private static void run(Consumer<Parts> test) {
		assertThat(shared.context()).hasNotFailed();
		test.accept(new Parts(shared.context()));
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

	private static boolean isCommitted(long id) {
		return DATABASE.count("select count(*) from rowqueue.job where id = " + id) == 1;
	}

	private static long purchases() {
		return DATABASE.count("select count(*) from purchase");
	}

	/**
	 * An application.
	 *
	 * @param jpa whether JPA manages its transactions
	 * @param autoCommit whether its pool's connections begin in auto-commit mode
	 * @param proxy what stands before its pool, if anything does
	 */
	record Managed(boolean jpa, boolean autoCommit, UnaryOperator<DataSource> proxy) {

		ApplicationContextRunner application() {
			ApplicationContextRunner plain = Applications.on(DATABASE)
				.withUserConfiguration(Listeners.class)
				.withBean(Notes.class)
				.withPropertyValues("rowqueue.worker.poll-interval=1h",
						"spring.datasource.hikari.auto-commit=" + this.autoCommit,
						"spring.datasource.hikari.maximum-pool-size=2");
			if (this.proxy != null) {
				plain = plain.withBean(Proxying.class, this.proxy);
			}
			return this.jpa ? plain.withConfiguration(AutoConfigurations.of(HibernateJpaAutoConfiguration.class))
				.withUserConfiguration(Entities.class)
				.withPropertyValues("spring.jpa.hibernate.ddl-auto=none",
						"spring.jpa.properties.hibernate.connection.provider_disables_autocommit=" + !this.autoCommit)
					: plain;
		}

	}

	/** Puts a proxy before the pool. */
	record Proxying(UnaryOperator<DataSource> proxy) implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String name) {
			return (bean instanceof DataSource pool) ? this.proxy.apply(pool) : bean;
		}

	}

	/** What the tests need of an application. */
	private static final class Parts {

		private final ApplicationContext context;

		private final JobQueue queue;

		private final JobAdmin admin;

		private final JdbcTemplate jdbc;

		private final PlatformTransactionManager manager;

		Parts(ApplicationContext context) {
			this.context = context;
			this.queue = context.getBean(JobQueue.class);
			this.admin = context.getBean(JobAdmin.class);
			this.jdbc = context.getBean(JdbcTemplate.class);
			this.manager = context.getBean(PlatformTransactionManager.class);
		}

		long enqueue() {
			return this.queue.enqueue("t", "payload").id();
		}

		void note(String text) {
			this.queue.enqueue("note", new Note(text));
		}

		<T> T inTransaction(Supplier<T> work) {
			return in(TransactionDefinition.PROPAGATION_REQUIRED, work);
		}

		<T> T in(int propagation, Supplier<T> work) {
			TransactionTemplate transaction = new TransactionTemplate(this.manager);
			transaction.setPropagationBehavior(propagation);
			return transaction.execute((status) -> work.get());
		}

		void insert(long id) {
			save(new Purchase(id, "cup"));
		}

		void insertWithoutName(long id) {
			save(new Purchase(id, null));
		}

		private void save(Purchase purchase) {
			EntityManager entities = this.context.getBeanProvider(EntityManager.class).getIfAvailable();
			if (entities != null) {
				entities.persist(purchase);
			}
			else {
				this.jdbc.update("insert into purchase (id, name) values (?, ?)", purchase.id, purchase.name);
			}
		}

		void publish(String event) {
			((ApplicationEventPublisher) this.context).publishEvent(event);
		}

	}

	static class Listeners {

		private final Map<String, Long> enqueued = new ConcurrentHashMap<>();

		private final JobQueue queue;

		Listeners(JobQueue queue) {
			this.queue = queue;
		}

		@TransactionalEventListener
		void committed(String event) {
			enqueue(event);
		}

		@TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
		void rolledBack(String event) {
			enqueue(event);
		}

		private void enqueue(String event) {
			EnqueueResult result = this.queue.enqueue("t", event);
			assertThat(this.queue.find(result.id()).map(Job::type)).contains("t");
			this.enqueued.put(event, result.id());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EntityScan(basePackageClasses = Purchase.class)
	static class Entities {

	}

	@Entity(name = "purchase")
	@Table(name = "purchase")
	static class Purchase {

		@Id
		private Long id;

		@Column
		private String name;

		Purchase() {
		}

		Purchase(Long id, String name) {
			this.id = id;
			this.name = name;
		}

	}

}

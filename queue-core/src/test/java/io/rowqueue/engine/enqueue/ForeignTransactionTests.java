package io.rowqueue.engine.enqueue;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import io.rowqueue.JobQueue;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.database.TransactionCheck;
import io.rowqueue.engine.database.TransactionCheck.Mode;
import io.rowqueue.engine.database.TransactionEndListener;
import io.rowqueue.flow.Batch;
import io.rowqueue.flow.Flow;
import io.rowqueue.testing.Log;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What a transaction of another resource, or none, means for a call that enqueues. */
class ForeignTransactionTests {

	private static final String COMMITTED_ALONE = "is committed at once: that is a transaction of another resource";

	@AutoClose
	private final TestApplication application = new TestApplication();

	@AutoClose
	private final Log log = new Log(TransactionCheck.class);

	private final TransactionTemplate jta = new TransactionTemplate(TransactionEndListener.addTo(new Jta()));

	private final TransactionTemplate other = this.application.transaction(this.application.engine().dataSource());

	private static List<Consumer<JobQueue>> calls() {
		return List.of((queue) -> queue.enqueue(JobRequest.of("test")),
				(queue) -> queue.enqueueAll(List.of(JobRequest.of("test"), JobRequest.of("test").uniqueKey("key"))),
				(queue) -> queue.enqueueAll(Stream.of(JobRequest.of("test")), (result) -> {
				}), (queue) -> queue.enqueue(Flow.named("flow").job("a", JobRequest.of("test"))),
				(queue) -> queue.enqueueBatch(Batch.named("batch"), Stream.of(JobRequest.of("test"))),
				(queue) -> queue.signal(1, "name", null));
	}

	@Test
	void aCallInATransactionOfAnotherResourceIsLoggedOnceForEachName() {
		this.jta.setName("Orders.place");
		this.other.setName("Mails.send");
		for (TransactionTemplate transaction : List.of(this.jta, this.jta, this.other)) {
			transaction.executeWithoutResult((status) -> {
				this.application.enqueue("a");
				status.setRollbackOnly();
			});
		}
		assertThat(this.application.committed()).hasSize(3);
		assertThat(warnings()).hasSize(2).allMatch((line) -> line.contains(COMMITTED_ALONE));
		assertThat(warnings().get(0)).contains("'Orders.place'", "rowqueue.enqueue.transaction=required");
		assertThat(warnings().get(1)).contains("'Mails.send'");
	}

	@Test
	void aCallThatNoRollbackCanContradictIsNotLogged() {
		this.application.enqueue("outside");
		this.application.transaction().executeWithoutResult((status) -> {
			this.application.enqueue("inside");
			this.other.executeWithoutResult((inner) -> this.application.enqueue("inside of both"));
			afterCommit(() -> this.application.enqueue("after"));
		});
		for (TransactionTemplate transaction : List.of(this.jta, this.other)) {
			transaction.executeWithoutResult((status) -> afterCommit(() -> this.application.enqueue("after another")));
		}
		assertThat(this.application.committed()).hasSize(6);
		assertThat(warnings()).isEmpty();
		assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
	}

	@Test
	void anyCallIsAcceptedIfTheApplicationSaysSo() {
		JobQueue queue = this.application.queue(Mode.ANY);
		this.jta.executeWithoutResult((status) -> queue.enqueue(JobRequest.of("test")));
		assertThat(this.application.committed()).hasSize(1);
		assertThat(warnings()).isEmpty();
	}

	@Test
	void eachCallIsRefusedThatIsNotInARequiredTransaction() {
		JobQueue queue = this.application.queue(Mode.REQUIRED);
		this.jta.setName("Orders.place");
		for (Consumer<JobQueue> call : calls()) {
			assertRefused(() -> call.accept(queue), "this call is in no transaction: @Transactional may be missing");
			this.jta.executeWithoutResult((status) -> assertRefused(() -> call.accept(queue),
					"the transaction 'Orders.place' is one of another resource"));
			this.application.transaction()
				.executeWithoutResult(
						(status) -> afterCommit(() -> assertRefused(() -> call.accept(queue), "has ended")));
		}
		assertThat(this.application.committed()).isEmpty();
		this.application.transaction().executeWithoutResult((status) -> calls().forEach((call) -> call.accept(queue)));
		assertThat(this.application.committed()).hasSize(6);
		assertThat(queue.find(1)).isEmpty();
	}

	@Test
	void eachCallIsRefusedInAReadOnlyTransactionWhichCanContinue() {
		TransactionTemplate readOnly = this.application.transaction();
		readOnly.setReadOnly(true);
		readOnly.executeWithoutResult((status) -> {
			for (Consumer<JobQueue> call : calls()) {
				assertRefused(() -> call.accept(this.application.queue()), "The transaction is read-only");
			}
			assertThat(this.application.queue().find(1)).isEmpty();
		});
	}

	private static void assertRefused(Runnable call, String reason) {
		assertThatExceptionOfType(JobQueueException.class).isThrownBy(call::run).withMessageContaining(reason);
	}

	private List<String> warnings() {
		return this.log.lines(Level.WARN);
	}

	private static void afterCommit(Runnable work) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCommit() {
				work.run();
			}

		});
	}

	/** Binds no connection, as {@code JtaTransactionManager} does not. */
	private static final class Jta extends AbstractPlatformTransactionManager {

		@Override
		protected Object doGetTransaction() {
			return new Object();
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

}

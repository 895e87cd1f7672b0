package io.rowqueue.test.shop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.rowqueue.HandlerOptions;
import io.rowqueue.JobContext;
import io.rowqueue.JobHandlers;
import io.rowqueue.JobQueue;
import io.rowqueue.test.QueueTester;
import io.rowqueue.test.autoconfigure.QueueTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A step that an attempt has recorded is not repeated by the next one, as by a worker.
 */
@QueueTest(Printer.class)
@Import(StepsInATestTests.Handlers.class)
class StepsInATestTests implements OnDevPostgres {

	@Autowired
	JobQueue queue;

	@Autowired
	QueueTester tester;

	@Autowired
	Charges charges;

	@Test
	void aStepOfAFailedAttemptIsNotRepeated() {
		runs("charge");

		assertThat(this.charges.steps).containsExactly("charge", "ship");
		assertThat(this.charges.rows("charge")).isEqualTo(1);
		assertThat(this.charges.rows("ship")).isEqualTo(1);
	}

	@Test
	void whatAFailedAttemptWroteAfterItsLastStepIsUndone() {
		runs("charge");

		assertThat(this.charges.rows("note")).isEqualTo(1);
	}

	@Test
	@Transactional(propagation = Propagation.NOT_SUPPORTED)
	void aStepThatIsCommittedIsNotRepeatedLikewise() {
		runs("charge");
		this.tester.clear();
		this.charges.delete();

		assertThat(this.charges.steps).containsExactly("charge", "ship");
	}

	@Test
	void aStepOfATransactionalHandlerIsUndoneWithItsAttempt() {
		runs("charge-in-transaction");

		assertThat(this.charges.steps).containsExactly("charge", "ship", "charge", "ship");
		assertThat(this.charges.rows("charge")).isEqualTo(1);
	}

	private void runs(String type) {
		this.charges.steps.clear();
		this.queue.enqueue(type, null);
		this.tester.runDue();
		assertThat(this.tester).hasJob(type).hasAttempts(1).hasLastErrorContaining("not yet");
		this.tester.advance(Duration.ofMinutes(1));
		this.tester.runDue();
		assertThat(this.tester).hasJob(type).hasAttempts(2).hasSucceeded();
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Handlers {

		@Bean
		Charges charges(JdbcClient db) {
			return new Charges(db);
		}

		@Bean
		JobHandlers.Registrar chargingHandlers(Charges charges) {
			return (handlers) -> handlers.add("charge", String.class, (payload, context) -> charges.charge(context))
				.add("charge-in-transaction", String.class, HandlerOptions.NONE.transactional(true),
						(payload, context) -> charges.charge(context));
		}

	}

	static class Charges {

		private final List<String> steps = new ArrayList<>();

		private final JdbcClient db;

		Charges(JdbcClient db) {
			this.db = db;
		}

		void charge(JobContext context) throws Exception {
			context.step("charge", () -> step("charge"));
			context.step("ship", () -> step("ship"));
			write("note");
			if (context.attempt() == 1) {
				throw new IllegalStateException("not yet");
			}
		}

		private void step(String name) {
			this.steps.add(name);
			write(name);
		}

		private void write(String customer) {
			this.db.sql("insert into book_order (customer) values (?)").param(customer).update();
		}

		void delete() {
			this.db.sql("delete from book_order").update();
		}

		long rows(String customer) {
			return this.db.sql("select count(*) from book_order where customer = ?")
				.param(customer)
				.query(Long.class)
				.single();
		}

	}

}

package io.rowqueue.modulith;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.JobHandler;
import io.rowqueue.modulith.shop.Shop;
import io.rowqueue.modulith.shop.orders.OrderShipped;
import io.rowqueue.modulith.shop.orders.Orders;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.support.EventExternalizerModuleListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Events that leave their application. */
class ExternalizedEventsTests {

	@Nested
	@SpringBootTest(classes = Shop.class, properties = "spring.modulith.events.externalization.mode=outbox")
	@Import(Carrier.class)
	class AsJobsTests implements TestDatabase {

		@Autowired
		Orders orders;

		@Autowired
		Carrier carrier;

		@Test
		void theTargetIsTheTypeOfTheJobAndTheKeyOrdersTheJobs() {
			List<OrderShipped> shipped = List.of(new OrderShipped(1, "ada"), new OrderShipped(2, "ada"),
					new OrderShipped(3, "ada"));

			this.orders.publish(shipped.toArray());

			await().untilAsserted(() -> assertThat(this.carrier.received).containsExactlyElementsOf(shipped));
			assertThat(this.carrier.attempts).hasValue(4);
		}

	}

	static class Carrier {

		final List<OrderShipped> received = new CopyOnWriteArrayList<>();

		final AtomicInteger attempts = new AtomicInteger();

		@JobHandler("order-shipped")
		void pickUp(OrderShipped shipped) {
			if (this.attempts.incrementAndGet() == 1) {
				throw new IllegalStateException("no driver");
			}
			this.received.add(shipped);
		}

	}

	@Nested
	@SpringBootTest(classes = Shop.class)
	@Import(Broker.class)
	class ByABrokerTests implements TestDatabase {

		@Autowired
		Orders orders;

		@Autowired
		Broker broker;

		@Autowired
		JdbcClient db;

		@Test
		void theExternalizerOfABrokerRunsAsAJobUntilTheBrokerHasConfirmed() {
			OrderShipped shipped = new OrderShipped(1, "ada");

			this.orders.publish(shipped, "an event that is not externalized");

			await().untilAsserted(() -> assertThat(this.broker.sent).containsExactly(shipped));
			assertThat(this.db.sql("select count(*) from rowqueue.job_failure").query(Long.class).single()).isOne();
			assertThat(this.db.sql("""
					select (select count(*) from rowqueue.job) + (select count(*) from rowqueue.job_finished)
					""").query(Long.class).single()).isOne();
		}

	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Broker {

		final List<Object> sent = new CopyOnWriteArrayList<>();

		final AtomicInteger attempts = new AtomicInteger();

		@Bean
		EventExternalizerModuleListener brokerExternalizer(EventExternalizationConfiguration configuration) {
			return new EventExternalizerModuleListener(configuration, (payload, target) -> {
				if (this.attempts.incrementAndGet() == 1) {
					return CompletableFuture.failedFuture(new IllegalStateException("not confirmed"));
				}
				this.sent.add(payload);
				return CompletableFuture.completedFuture(payload);
			});
		}

	}

}

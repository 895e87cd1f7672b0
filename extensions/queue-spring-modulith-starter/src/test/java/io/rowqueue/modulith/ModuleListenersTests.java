package io.rowqueue.modulith;

import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import com.tngtech.archunit.core.importer.ImportOption;
import io.rowqueue.modulith.shop.Shop;
import io.rowqueue.modulith.shop.mails.Mailer;
import io.rowqueue.modulith.shop.mails.Mailer.Mail;
import io.rowqueue.modulith.shop.orders.OrderPaid;
import io.rowqueue.modulith.shop.orders.OrderPlaced;
import io.rowqueue.modulith.shop.orders.OrderRefused;
import io.rowqueue.modulith.shop.orders.Orders;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.modulith.core.ApplicationModules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/** Events from one module to another. */
@SpringBootTest(classes = Shop.class)
class ModuleListenersTests implements TestDatabase {

	private static final AtomicLong NUMBERS = new AtomicLong();

	@Autowired
	Orders orders;

	@Autowired
	Mailer mailer;

	@Autowired
	JdbcClient db;

	private final long number = NUMBERS.incrementAndGet();

	private final OrderPlaced placed = new OrderPlaced(this.number, "customer " + this.number);

	@Test
	void theModulesAreIndependentOfTheQueue() {
		ApplicationModules.of(Shop.class, new ImportOption.OnlyIncludeTests()).verify();
	}

	@Test
	void aListenerRunsAsAJobInATransactionOfItsOwn() {
		this.orders.publish(this.placed);

		Mail mail = await().until(() -> sent("confirm", this.placed), (found) -> found.size() == 1).get(0);
		assertThat(mail.thread()).startsWith("rowqueue-");
		assertThat(mail.transaction()).isTrue();
		await().untilAsserted(() -> assertThat(finished("orderMails.confirm(OrderPlaced)")).contains("succeeded"));
	}

	@Test
	void anEventIsDeliveredWithTheNumbersThatItWasPublishedWith() {
		OrderPaid paid = new OrderPaid(this.number, new BigDecimal("19.90"),
				new BigDecimal("12345678901234567890.123456789"));

		this.orders.publish(paid);

		await().untilAsserted(
				() -> assertThat(this.mailer.sent("acknowledge")).extracting(Mail::event).containsExactly(paid));
	}

	@Test
	void anEventOfATransactionThatIsRolledBackIsNotDelivered() {
		assertThatIllegalStateException().isThrownBy(() -> this.orders.publishAndFail(this.placed));

		assertThat(this.db.sql("select count(*) from rowqueue.job where payload::text like ?")
			.param("%" + this.placed.customer() + "\"%")
			.query(Long.class)
			.single()).isZero();
	}

	@Test
	void aListenerThatFailsIsRetried() {
		this.mailer.failOn(this.placed, 2);

		this.orders.publish(this.placed);

		await().until(() -> sent("confirm", this.placed), (found) -> found.size() == 1);
	}

	@Test
	void aListenerThatFailsForGoodLeavesAFailedJobWithTheEvent() {
		OrderRefused refused = new OrderRefused(this.number);
		this.mailer.failOn(refused, 1);

		this.orders.publish(refused);

		await().untilAsserted(() -> assertThat(this.db.sql(
				"select last_error from rowqueue.job where type = 'orderMails.refuse(OrderRefused)' and state = 'failed'")
			.query(String.class)
			.list()).singleElement().asString().contains("the mail server is away"));
	}

	@Test
	void eventsOfAKeyAreDeliveredInTheirOrder() {
		List<OrderPlaced> placed = List.of(new OrderPlaced(1, "ada"), new OrderPlaced(2, "ada"),
				new OrderPlaced(3, "ada"));
		this.mailer.failOn(placed.get(0), 3);

		placed.forEach((event) -> this.orders.publish(event));

		await().untilAsserted(() -> assertThat(this.mailer.sent("count")).extracting(Mail::event)
			.filteredOn(placed::contains)
			.containsExactlyElementsOf(placed));
	}

	@Test
	void theConditionOfAListenerDecidesBeforeAJobIsEnqueued() {
		OrderPlaced byGuest = new OrderPlaced(this.number, "guest");

		this.orders.publish(byGuest);

		await().until(() -> sent("confirm", byGuest), (found) -> found.size() == 1);
		assertThat(this.db.sql("""
				select count(*) from (select type, payload from rowqueue.job
					union all select type, payload from rowqueue.job_finished) j
				where type = 'loyalty' and payload::text like '%guest%'
				""").query(Long.class).single()).isZero();
		assertThat(sent("count", byGuest)).isEmpty();
	}

	private List<Mail> sent(String kind, Object event) {
		return this.mailer.sent(kind).stream().filter((mail) -> mail.event().equals(event)).toList();
	}

	private List<String> finished(String type) {
		return this.db.sql("select state::text from rowqueue.job_finished where type = ?")
			.param(type)
			.query(String.class)
			.list();
	}

}

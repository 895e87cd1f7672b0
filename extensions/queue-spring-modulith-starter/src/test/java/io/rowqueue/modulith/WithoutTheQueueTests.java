package io.rowqueue.modulith;

import io.rowqueue.modulith.shop.Shop;
import io.rowqueue.modulith.shop.mails.Mailer;
import io.rowqueue.modulith.shop.orders.OrderPlaced;
import io.rowqueue.modulith.shop.orders.Orders;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** An application that has switched the queue off. */
@SpringBootTest(classes = Shop.class, properties = "rowqueue.enabled=false")
class WithoutTheQueueTests implements TestDatabase {

	@Autowired
	Orders orders;

	@Autowired
	Mailer mailer;

	@Test
	void listenersWorkAsSpringModulithCallsThem() {
		this.orders.publish(new OrderPlaced(1, "ada"));

		await().untilAsserted(() -> assertThat(this.mailer.sent("confirm")).singleElement()
			.extracting(Mailer.Mail::thread)
			.asString()
			.doesNotStartWith("rowqueue-"));
	}

}

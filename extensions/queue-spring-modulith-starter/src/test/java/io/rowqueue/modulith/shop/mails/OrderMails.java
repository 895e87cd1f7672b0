package io.rowqueue.modulith.shop.mails;

import io.rowqueue.modulith.OrderedBy;
import io.rowqueue.modulith.shop.orders.OrderPaid;
import io.rowqueue.modulith.shop.orders.OrderPlaced;
import io.rowqueue.modulith.shop.orders.OrderRefused;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.stereotype.Component;

/** Writes to the customers. */
@Component
class OrderMails {

	private final Mailer mailer;

	OrderMails(Mailer mailer) {
		this.mailer = mailer;
	}

	@ApplicationModuleListener
	void confirm(OrderPlaced placed) {
		this.mailer.send("confirm", placed);
	}

	@ApplicationModuleListener(id = "loyalty", condition = "#placed.customer() != 'guest'")
	@OrderedBy("customer")
	void count(OrderPlaced placed) {
		this.mailer.send("count", placed);
	}

	@ApplicationModuleListener
	void refuse(OrderRefused refused) {
		this.mailer.send("refuse", refused);
	}

	@ApplicationModuleListener
	void acknowledge(OrderPaid paid) {
		this.mailer.send("acknowledge", paid);
	}

}

package io.rowqueue.shop.mail;

import io.rowqueue.modulith.OrderedBy;
import io.rowqueue.shop.order.OrderPlaced;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.stereotype.Component;

@Component
class OrderMails {

	private static final Logger logger = LoggerFactory.getLogger(OrderMails.class);

	private final JdbcClient db;

	OrderMails(JdbcClient db) {
		this.db = db;
	}

	@ApplicationModuleListener
	void confirm(OrderPlaced placed) {
		int sent = this.db.sql("insert into mail (order_id) values (?) on conflict do nothing")
			.param(placed.order())
			.update();
		if (sent == 1) {
			logger.info("Dear {}, thank you for order {}", placed.customer(), placed.order());
		}
	}

	/** Its id stays when the method is renamed. */
	@ApplicationModuleListener(id = "loyalty-points")
	@OrderedBy("customer")
	void count(OrderPlaced placed) {
		int points = this.db.sql("""
				insert into point (order_id, customer) values (?, ?) on conflict do nothing""")
			.params(placed.order(), placed.customer())
			.update();
		if (points == 1) {
			logger.info("A point for {}", placed.customer());
		}
	}

}

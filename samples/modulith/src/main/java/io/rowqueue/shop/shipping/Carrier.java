package io.rowqueue.shop.shipping;

import io.rowqueue.JobHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Could as well be in another application on the same database. */
@Component
class Carrier {

	private static final Logger logger = LoggerFactory.getLogger(Carrier.class);

	private final JdbcClient db;

	Carrier(JdbcClient db) {
		this.db = db;
	}

	@JobHandler(value = "order-shipped", transactional = true)
	void pickUp(OrderShipped shipped) {
		this.db.sql("update shipment set picked_up_at = now() where order_id = ?").param(shipped.order()).update();
		logger.info("Pick up order {}", shipped.order());
	}

}

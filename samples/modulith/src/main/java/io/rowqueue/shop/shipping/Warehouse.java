package io.rowqueue.shop.shipping;

import io.rowqueue.shop.order.OrderPlaced;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.stereotype.Component;

@Component
class Warehouse {

	private final JdbcClient db;

	private final ApplicationEventPublisher events;

	Warehouse(JdbcClient db, ApplicationEventPublisher events) {
		this.db = db;
		this.events = events;
	}

	@ApplicationModuleListener
	void ship(OrderPlaced placed) {
		int shipped = this.db.sql("insert into shipment (order_id) values (?) on conflict do nothing")
			.param(placed.order())
			.update();
		if (shipped == 1) {
			this.events.publishEvent(new OrderShipped(placed.order(), placed.customer()));
		}
	}

}

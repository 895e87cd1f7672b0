package io.rowqueue.shop.order;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Takes orders. */
@Service
public class Orders {

	private final JdbcClient db;

	private final ApplicationEventPublisher events;

	Orders(JdbcClient db, ApplicationEventPublisher events) {
		this.db = db;
		this.events = events;
	}

	/** The order and what has to happen because of it, or neither. */
	@Transactional
	public long place(String customer) {
		long order = this.db.sql("insert into orders (customer) values (?) returning id")
			.param(customer)
			.query(Long.class)
			.single();
		this.events.publishEvent(new OrderPlaced(order, customer));
		return order;
	}

}

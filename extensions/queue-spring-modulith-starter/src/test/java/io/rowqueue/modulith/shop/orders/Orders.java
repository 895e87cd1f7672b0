package io.rowqueue.modulith.shop.orders;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Publishes events in its transactions. */
@Service
public class Orders {

	private final ApplicationEventPublisher events;

	Orders(ApplicationEventPublisher events) {
		this.events = events;
	}

	@Transactional
	public void publish(Object... published) {
		for (Object event : published) {
			this.events.publishEvent(event);
		}
	}

	@Transactional
	public void publishAndFail(Object event) {
		this.events.publishEvent(event);
		throw new IllegalStateException("the order is invalid");
	}

}

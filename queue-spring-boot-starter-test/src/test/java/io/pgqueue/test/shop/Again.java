package io.pgqueue.test.shop;

import java.time.Duration;

import io.pgqueue.JobHandlers;
import io.pgqueue.SnoozeJobException;
import org.springframework.stereotype.Component;

/** Registers a handler in code that puts its job off for no time at all. */
@Component
class Again implements JobHandlers.Registrar {

	@Override
	public void register(JobHandlers handlers) {
		handlers.add("again", Object.class, (payload, context) -> {
			throw SnoozeJobException.by(Duration.ZERO, "again");
		});
	}

}

package io.rowqueue.test.shop;

import java.util.ArrayList;
import java.util.List;

import io.rowqueue.JobHandler;
import org.springframework.stereotype.Component;

/** Prints what orders need. */
@Component
class Printer {

	private final List<Long> printed = new ArrayList<>();

	@JobHandler("print")
	void print(long order) {
		this.printed.add(order);
	}

	List<Long> printed() {
		return this.printed;
	}

}

package io.rowqueue.test.shop;

import java.time.Duration;

import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Takes orders. It has no handler. */
@Service
class Orders {

	static final Duration REMIND_AFTER = Duration.ofDays(3);

	record Mail(long order, String to) {
	}

	private final JdbcClient db;

	private final JobQueue jobs;

	Orders(JdbcClient db, JobQueue jobs) {
		this.db = db;
		this.jobs = jobs;
	}

	@Transactional
	long take(String customer) {
		long order = this.db.sql("insert into book_order (customer) values (?) returning id")
			.param(customer)
			.query(Long.class)
			.single();
		this.jobs.enqueue(JobRequest.of("order-mail", new Mail(order, customer)).queue("mail").priority(5));
		this.jobs.enqueue(
				JobRequest.of("reminder", order).delay(REMIND_AFTER).uniqueKey("reminder-" + order).maxAttempts(2));
		this.jobs.enqueue("invoice", order);
		return order;
	}

}

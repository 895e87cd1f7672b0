package io.rowqueue.test.shop;

import io.rowqueue.JobContext;
import io.rowqueue.JobHandler;
import io.rowqueue.JobQueue;
import io.rowqueue.test.shop.Orders.Mail;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What is done about orders later. */
@Component
class OrderJobs {

	private final Mailer mailer;

	private final JdbcClient db;

	private final JobQueue jobs;

	OrderJobs(Mailer mailer, JdbcClient db, JobQueue jobs) {
		this.mailer = mailer;
		this.db = db;
		this.jobs = jobs;
	}

	@JobHandler("order-mail")
	void confirm(Mail mail, JobContext context) {
		context.log().info("mail to {}", mail.to());
		this.mailer.send(mail.to(), "Thank you for your order " + mail.order());
	}

	@JobHandler("reminder")
	void remind(long order) {
		this.mailer.send("sales", "Was order " + order + " paid?");
	}

	@JobHandler(value = "invoice", transactional = true, keepResult = true)
	String invoice(long order, JobContext context) {
		this.db.sql("insert into invoice (book_order, lines) values (?, ?)").params(order, 1).update();
		this.jobs.enqueue("print", order);
		this.mailer.send("accounting", "Invoice of order " + order);
		return "R-" + order + "-" + context.attempt();
	}

	@JobHandler("careless-invoice")
	void invoiceWhateverHappens(long order) {
		try {
			this.db.sql("insert into invoice (book_order, lines) values (?, 1)").param(order).update();
		}
		catch (DuplicateKeyException ex) {
			this.mailer.send("accounting", "Order " + order + " has an invoice already");
		}
	}

}

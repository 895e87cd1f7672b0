package io.rowqueue.sample.receiver;

import java.util.List;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of accepted webhooks. */
@Repository
class ReceivedWebhooks {

	private final JdbcClient jdbc;

	ReceivedWebhooks(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	/** Stores a webhook; returns false if it is a duplicate. */
	boolean add(String id, String body) {
		return this.jdbc.sql("insert into received_webhook (id, body) values (?, ?) on conflict do nothing")
			.params(id, body)
			.update() == 1;
	}

	List<ReceivedWebhook> latest(int count) {
		return this.jdbc.sql("select id, body, received_at from received_webhook order by received_at desc limit ?")
			.param(count)
			.query(ReceivedWebhook.class)
			.list();
	}

}

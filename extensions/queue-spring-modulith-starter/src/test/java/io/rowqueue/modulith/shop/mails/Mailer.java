package io.rowqueue.modulith.shop.mails;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Records what would be sent, and fails as often as a test wants. */
@Component
public class Mailer {

	/** What was sent, by which thread, and whether it was in a transaction. */
	public record Mail(String kind, Object event, String thread, boolean transaction) {

	}

	private final List<Mail> sent = new CopyOnWriteArrayList<>();

	private final ConcurrentHashMap<Object, AtomicInteger> failures = new ConcurrentHashMap<>();

	public void failOn(Object event, int times) {
		this.failures.put(event, new AtomicInteger(times));
	}

	public List<Mail> sent(String kind) {
		return this.sent.stream().filter((mail) -> mail.kind().equals(kind)).toList();
	}

	void send(String kind, Object event) {
		AtomicInteger left = this.failures.get(event);
		if (left != null && left.getAndDecrement() > 0) {
			throw new IllegalStateException("the mail server is away");
		}
		this.sent.add(new Mail(kind, event, Thread.currentThread().getName(),
				TransactionSynchronizationManager.isActualTransactionActive()));
	}

}

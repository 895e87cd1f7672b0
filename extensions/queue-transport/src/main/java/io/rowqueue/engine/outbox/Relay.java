package io.rowqueue.engine.outbox;

import java.time.Duration;
import java.util.List;

import io.rowqueue.engine.outbox.OutboxStore.Relayed;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.Loop;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.support.Pace;
import io.rowqueue.engine.support.Times;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.transport.JobMessage;
import io.rowqueue.transport.JobPublisher;
import io.rowqueue.transport.JobTransport;
import io.rowqueue.transport.TransportException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the jobs of the outbox, in a thread of its own. The relays of all processes
 * share the work. While the broker is away, one job at a time is tried; when it has been
 * away for too long, the jobs are moved to the table of jobs, from which workers run
 * them. So are those that the broker refuses.
 */
public final class Relay {

	/** The name of the thread. */
	static final String THREAD = "rowqueue-relay";

	static final int MAX_JOBS = 1000;

	/** The payloads of a batch are about as long, at most. */
	private static final long BATCH_CHARACTERS = 8 * 1024 * 1024;

	private static final Duration POLL = Duration.ofSeconds(1);

	private static final Logger logger = LoggerFactory.getLogger(Relay.class);

	private final OutboxStore store;

	private final JobTransport transport;

	private final WakeUps wakeUps;

	private final BrokerOutage broker;

	private final Loop loop;

	private final OutboxMark mark = new OutboxMark();

	/** When the broker is tried again while it is away. */
	private final Pace tries = Pace.dueNow(Duration.ZERO);

	private int batchSize = 100;

	private boolean fallenBack;

	private @Nullable JobPublisher publisher;

	/**
	 * Creates the relay.
	 * @param wakeUps notified of jobs that workers run from the database
	 * @param broker notified of failures and successes of the broker
	 * @param outage notified of failures and successes of the database
	 */
	public Relay(OutboxStore store, JobTransport transport, WakeUps wakeUps, BrokerOutage broker, Outage outage) {
		this.store = store;
		this.transport = transport;
		this.wakeUps = wakeUps;
		this.broker = broker;
		this.loop = new Loop(THREAD, outage, this::pause, this::turn);
	}

	/** Starts the thread, unless a wake-up has done so before. */
	public void start() {
		this.loop.wake();
	}

	/** There are new jobs. Returns at once. */
	public void wake() {
		if (!isAway()) {
			this.loop.wake();
		}
	}

	/** Ends the thread; a batch that is being published may be published again. */
	public void stop() {
		this.loop.stop();
	}

	/**
	 * Closes the publisher when the thread has ended.
	 * @throws InterruptedException if the calling thread is interrupted
	 */
	public void close() throws InterruptedException {
		close(POLL);
	}

	/**
	 * Closes the publisher when the thread has ended, or the wait for that is over.
	 * @param timeout how long to wait at most
	 * @throws InterruptedException if the calling thread is interrupted
	 */
	public void close(Duration timeout) throws InterruptedException {
		this.loop.stop();
		try {
			this.loop.join(timeout);
		}
		finally {
			JobPublisher open = this.publisher;
			if (open != null) {
				close(open);
			}
		}
	}

	/** Nothing is lost: what was not published is still in the outbox. */
	private void close(JobPublisher open) {
		try {
			open.close();
		}
		catch (RuntimeException ex) {
			logger.warn("The publisher to {} could not be closed: {}", this.transport.name(),
					ErrorText.summaryOfRoot(ex));
		}
	}

	private boolean isAway() {
		return !this.broker.age(THREAD).isZero();
	}

	private Duration pause() {
		return isAway() ? Times.shorter(POLL, this.tries.remaining()) : POLL;
	}

	void turn() throws InterruptedException {
		boolean more = true;
		while (more && !this.loop.isStopped()) {
			if (!isAway()) {
				more = publish(this.batchSize);
			}
			else if (this.tries.isDue()) {
				more = publish(1);
			}
			else {
				more = isToFallBack() && fallBack();
			}
		}
	}

	/** Returns whether there may be more jobs. */
	private boolean publish(int jobs) throws InterruptedException {
		long from = this.mark.from();
		long begin = System.nanoTime();
		try {
			JobPublisher open = publisher();
			Relayed relayed = this.store.relay(from, jobs, open::publish);
			List<JobMessage> published = relayed.jobs();
			over(relayed);
			boolean full = published.size() >= jobs;
			this.mark.read(from, published.isEmpty() ? 0 : published.get(published.size() - 1).id(), full,
					Duration.ofNanos(System.nanoTime() - begin));
			learn(published);
			this.wakeUps.jobsArrived(Arrivals.of(relayed.refused().stream().map(JobMessage::queue).toList()));
			return full;
		}
		catch (TransportException ex) {
			this.broker.report(THREAD, ex);
			this.tries.failed();
			return true;
		}
	}

	private void over(Relayed relayed) {
		if (relayed.jobs().size() > relayed.refused().size() || !isAway()) {
			this.broker.over(THREAD);
			this.fallenBack = false;
		}
		else if (relayed.jobs().isEmpty()) {
			// without a job it is not known whether the broker is back
			this.tries.failed();
		}
		// after a refused one, the next one shows it
	}

	/** Large payloads make smaller batches. */
	private void learn(List<JobMessage> published) {
		long characters = published.stream()
			.mapToLong((job) -> (job.payload() != null) ? job.payload().length() : 0)
			.sum();
		if (characters > BATCH_CHARACTERS) {
			this.batchSize = Math.max(1, this.batchSize / 2);
		}
		else if (published.size() == this.batchSize && characters < BATCH_CHARACTERS / 2) {
			this.batchSize = Math.min(MAX_JOBS, this.batchSize * 2);
		}
	}

	private boolean isToFallBack() {
		Duration after = this.transport.settings().fallbackAfter();
		return !after.isZero() && this.broker.age(THREAD).compareTo(after) >= 0;
	}

	private boolean fallBack() {
		if (!this.fallenBack) {
			this.fallenBack = true;
			logger.warn("{} has been away for {}: workers run its jobs from the database until it is back",
					this.transport.name(), Times.readable(this.broker.age(THREAD)));
		}
		List<String> queues = this.store.move(MAX_JOBS);
		this.wakeUps.jobsArrived(Arrivals.of(queues));
		return queues.size() == MAX_JOBS;
	}

	private JobPublisher publisher() {
		JobPublisher open = this.publisher;
		if (open == null) {
			open = this.transport.createPublisher();
			this.publisher = open;
		}
		return open;
	}

}

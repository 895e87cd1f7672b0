package io.rowqueue.engine.outbox;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.rowqueue.engine.job.NewJob;
import io.rowqueue.engine.outbox.ReservedIdStore.ReservedId;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.support.Pace;
import io.rowqueue.engine.support.UncommittedException;
import io.rowqueue.transport.JobMessage;
import io.rowqueue.transport.JobPublisher;
import io.rowqueue.transport.JobTransport;
import io.rowqueue.transport.TransportException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes single jobs without the outbox. A job that the broker may lack is stored in
 * the outbox, with the id that it was published with. While the broker does not answer,
 * all jobs are.
 */
final class DirectPublication implements AutoCloseable {

	private static final Duration MAX_PAUSE = Duration.ofSeconds(5);

	private static final Logger logger = LoggerFactory.getLogger(DirectPublication.class);

	private final JobTransport transport;

	private final OutboxStatement outbox;

	private final ReservedIdStore ids;

	/** When the broker is tried again after a failure. */
	private final Pace tries = Pace.dueNow(MAX_PAUSE);

	private boolean away;

	private @Nullable JobPublisher publisher;

	DirectPublication(JobTransport transport, OutboxStatement outbox, ReservedIdStore ids) {
		this.transport = transport;
		this.outbox = outbox;
		this.ids = ids;
	}

	/**
	 * Publishes a job, or stores it with the same id if the broker may lack it. One that
	 * the broker refuses is stored in the outbox as well: the relay moves it to the table
	 * of jobs.
	 * @param committed stores it in a transaction of its own
	 * @return its id; {@code null} if the broker is away, and the job is to be stored as
	 * usual
	 * @throws UncommittedException if the job has no id, and was not published
	 */
	@Nullable Long publish(NewJob job, Consumer<Runnable> committed) {
		if (!isToTry()) {
			return null;
		}
		ReservedId reserved = reserve();
		if (!isPublished(message(job, reserved))) {
			committed.accept(() -> this.outbox.insert(reserved.id(), job));
		}
		return reserved.id();
	}

	private ReservedId reserve() {
		try {
			return this.ids.next();
		}
		catch (RuntimeException ex) {
			throw Outage.isAway(ex) ? new UncommittedException(ex) : ex;
		}
	}

	private static JobMessage message(NewJob job, ReservedId reserved) {
		return JobMessage.of(reserved.id(), job.request().type(), job.request().queue(), reserved.micros())
			.maxAttempts(job.request().maxAttempts())
			.payload(job.payload())
			.headers(job.headers());
	}

	private boolean isPublished(JobMessage message) {
		try {
			boolean stored = publisher().publish(List.of(message)).isEmpty();
			answered();
			return stored;
		}
		catch (TransportException ex) {
			failed(ex);
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private synchronized boolean isToTry() {
		return !this.away || this.tries.nextIfDue();
	}

	private synchronized void failed(TransportException ex) {
		if (!this.away) {
			this.away = true;
			this.tries.next(MAX_PAUSE);
			logger.warn("{} does not take jobs: new ones are stored in the outbox until it does. {}",
					this.transport.name(), ex.getMessage());
		}
	}

	private synchronized void answered() {
		if (this.away) {
			this.away = false;
			logger.info("{} takes jobs again", this.transport.name());
		}
	}

	private synchronized JobPublisher publisher() {
		JobPublisher open = this.publisher;
		if (open == null) {
			open = this.transport.createPublisher();
			this.publisher = open;
		}
		return open;
	}

	@Override
	public synchronized void close() {
		if (this.publisher != null) {
			this.publisher.close();
		}
	}

}

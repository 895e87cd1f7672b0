package io.rowqueue.engine.worker;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.rowqueue.engine.claim.ClaimLoop;
import io.rowqueue.engine.database.NotificationFloodException;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.Pace;
import io.rowqueue.engine.support.Times;
import io.rowqueue.engine.wakeup.Arrivals;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the worker's session and passes on the wake-ups that arrive there. Silence may
 * mean that there are none, or that the session is deaf: now and then the worker notifies
 * itself, the way that others do, and a session that does not hear it is replaced.
 */
final class Listener {

	/** How long a worker that stops waits for its own notification to end the wait. */
	private static final Duration PATIENCE = Duration.ofSeconds(3);

	/**
	 * An idle worker also polls, so that a session that was cut silently delays nothing
	 * beyond the next poll: it proves its session only each time after so many intervals.
	 */
	private static final int REST = 5;

	private static final String SERVER = "rowqueue.notifications.url to the address of the server itself";

	private static final Logger logger = LoggerFactory.getLogger(Listener.class);

	private final WorkerParts parts;

	private final WorkerStore workers;

	private final ListenerSettings settings;

	private final DataSource dataSource;

	private final long workerId;

	private final ClaimLoop claims;

	private final BooleanSupplier idle;

	private final Consumer<Arrivals> jobsArrived;

	/** Held during a turn, which waits for as long as the session has nothing to do. */
	private final ReentrantLock turns = new ReentrantLock();

	private volatile @Nullable WorkerSession session;

	/** When the worker's own notification must have arrived, if it is on its way. */
	private final Pace echo;

	private boolean echoing;

	private final Pace next = Pace.dueNow(Duration.ZERO);

	/** How many proofs of the session were left out, one after the other. */
	private int rested;

	/** Whether this session has heard anything. */
	private boolean heard;

	/** Whether the log says that this worker receives no notifications. */
	private boolean deaf;

	private volatile NotificationStatus status = NotificationStatus.OFF;

	private final CountDownLatch closed = new CountDownLatch(1);

	/**
	 * Creates the listener.
	 * @param claims looks for jobs again after a time without notifications
	 * @param idle whether the worker has nothing to do
	 * @param jobsArrived notified of new jobs
	 */
	Listener(WorkerParts parts, long workerId, ClaimLoop claims, BooleanSupplier idle, Consumer<Arrivals> jobsArrived) {
		this.idle = idle;
		this.jobsArrived = jobsArrived;
		this.parts = parts;
		this.workers = new WorkerStore(parts.databases().worker());
		this.settings = parts.listener();
		this.dataSource = Objects.requireNonNullElse(this.settings.dataSource(), parts.dataSource());
		this.workerId = workerId;
		this.claims = claims;
		this.echo = new Pace(this.settings.echo());
	}

	/** Whether notifications arrive. */
	NotificationStatus status() {
		return this.status;
	}

	/** Opens the session, anew if it broke, or waits for wake-ups. */
	void turn() throws SQLException, InterruptedException {
		this.turns.lock();
		try {
			if (this.closed.getCount() > 0) {
				openOrListen();
			}
		}
		finally {
			this.turns.unlock();
		}
	}

	private void openOrListen() throws SQLException, InterruptedException {
		WorkerSession open = this.session;
		if (open == null) {
			if (this.next.isDue()) {
				open();
			}
			else {
				pause();
			}
			return;
		}
		try {
			listen(open);
		}
		catch (NotificationFloodException ex) {
			breakOff(open, ex);
		}
		catch (SQLException | RuntimeException ex) {
			end();
			throw ex;
		}
	}

	private void open() throws SQLException {
		this.workers.echo(this.workerId); // if this fails, the database is away
		this.heard = false;
		this.echoing = false;
		Optional<WorkerSession> opened;
		try {
			opened = WorkerSession.open(this.dataSource, this.parts.databases().worker().schema(), this.workerId,
					this.settings.enabled());
		}
		catch (SQLException ex) {
			if (this.settings.dataSource() == null) {
				throw ex;
			}
			isDeaf("no connection of its own (" + ErrorText.summary(ex) + ")");
			return;
		}
		if (opened.isEmpty()) {
			isDeaf("its connections lead to a pooler", "Set " + SERVER
					+ ". The application's own statements need prepareThreshold=0 in the URL, unless the pooler keeps"
					+ " prepared statements");
			return;
		}
		this.session = opened.get();
		this.claims.lookAgain(); // notifications may have been missed in between
		this.next.hurry();
		if (this.settings.enabled() && !this.deaf) {
			this.status = NotificationStatus.CHECKING;
		}
	}

	private void listen(WorkerSession open) throws SQLException, InterruptedException {
		if (!this.settings.enabled()) {
			if (!pause() && this.next.isDue()) {
				open.check();
				this.next.next(this.settings.check());
			}
			return;
		}
		if (!this.echoing && this.next.isDue() && !rests()) {
			this.echoing = true;
			this.echo.next();
			this.workers.echo(this.workerId);
		}
		Arrivals arrivals = open.await((this.echoing ? this.echo : this.next).remaining());
		if (!arrivals.isEmpty()) {
			this.jobsArrived.accept(arrivals);
		}
		if (arrivals.deferred()) {
			this.parts.wakeUps().maintain();
		}
		if (arrivals.limited()) {
			this.parts.wakeUps().admission().jobsBecameDue();
		}
		if (open.hasEchoed()) {
			hears();
		}
		else if (this.echoing && this.echo.isDue()) {
			replace();
		}
	}

	private boolean rests() {
		this.rested = (this.heard && this.idle.getAsBoolean()) ? (this.rested + 1) % REST : 0;
		if (this.rested != 0) {
			this.next.next(this.settings.check());
		}
		return this.rested != 0;
	}

	/** Waits until there is something to do; returns whether the listener was closed. */
	private boolean pause() throws InterruptedException {
		return this.closed.await(this.next.remaining().toNanos(), TimeUnit.NANOSECONDS);
	}

	private void hears() {
		this.echoing = false;
		this.heard = true;
		this.next.next(this.settings.check());
		this.status = NotificationStatus.RECEIVING;
		if (this.deaf) {
			this.deaf = false;
			logger.info("Notifications reach worker {} again", this.workerId);
		}
	}

	/** A session that once heard may be broken: a new one may hear. */
	private void replace() throws SQLException {
		boolean worked = this.heard;
		end();
		if (worked) {
			logger.debug("The session of worker {} did not receive its own notification and is replaced",
					this.workerId);
		}
		else {
			isDeaf("its own notification did not arrive within " + this.settings.echo().toMillis() + " ms");
		}
	}

	/** It is unknown how much there is still to read. */
	private void breakOff(WorkerSession open, NotificationFloodException flood) {
		this.session = null;
		open.abort();
		isDeaf("too many arrived at once, the latest from the server process " + flood.notifier(),
				"It listens again in " + Times.readable(this.settings.retry())
						+ ". Any role that may read the table notification_channel can notify workers");
	}

	private void isDeaf(String reason) {
		isDeaf(reason, "If there is a connection pooler in between, set " + SERVER);
	}

	private void isDeaf(String reason, String remedy) {
		this.workers.forgetSession(this.workerId);
		this.next.next(this.settings.retry());
		if (this.settings.enabled()) {
			this.status = NotificationStatus.NOT_RECEIVING;
		}
		this.claims.reconsider(); // it must not be idle
		if (!this.deaf) {
			this.deaf = true;
			logger.warn(
					"{}: {}. It polls every {} ms instead, and other workers notice its death only by missing heartbeats. {}",
					this.settings.enabled() ? "Notifications do not reach worker " + this.workerId
							: "Worker " + this.workerId + " holds no lock",
					reason, this.parts.settings().pollInterval().toMillis(), remedy);
		}
	}

	/**
	 * Ends the session. Its wait for wake-ups ends with a notification of its own, or
	 * with the connection if that does not arrive.
	 */
	void close() throws SQLException {
		this.closed.countDown();
		if (!this.turns.tryLock() && !endsTurn()) {
			WorkerSession silent = this.session;
			if (silent != null) {
				silent.abort();
			}
			this.turns.lock();
		}
		try {
			this.status = NotificationStatus.OFF;
			end();
		}
		finally {
			this.turns.unlock();
		}
	}

	/** Ends the turn that is under way; the lock is held then. */
	private boolean endsTurn() {
		// in a thread of its own, since a statement hangs if the server does
		Thread notifying = new Thread(this::notifyItself, "rowqueue-listener-end");
		notifying.setDaemon(true);
		try {
			notifying.start();
			return this.turns.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
		catch (OutOfMemoryError ex) { // no more threads
			return false;
		}
	}

	private void notifyItself() {
		try {
			this.workers.echo(this.workerId);
		}
		catch (RuntimeException ex) {
			logger.debug("Worker {} cannot notify itself that it ends", this.workerId, ex);
		}
	}

	/** The next turn opens another one. */
	private void end() throws SQLException {
		WorkerSession open = this.session;
		this.session = null;
		this.next.hurry();
		if (open != null) {
			open.close();
		}
	}

}

package io.rowqueue.engine.attempt;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeoutException;

import io.rowqueue.StopReason;
import io.rowqueue.engine.signal.Wait;
import io.rowqueue.engine.support.Times;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** The run of a handler: its start, its thread, and the request to stop. */
abstract class HandlerRun {

	private @Nullable Thread thread;

	private boolean interrupted;

	private volatile @Nullable StopReason stopReason;

	private volatile long startedAt;

	private volatile boolean begun;

	private @Nullable TimeoutException timeout;

	private volatile @Nullable ConnectionLoss lostTransaction;

	private @Nullable Map<String, String> logContext;

	private volatile @Nullable Wait pendingWait;

	private volatile boolean abandoned;

	/** The calling thread runs the handler from now on. */
	public synchronized void begin() {
		this.thread = Thread.currentThread();
		this.startedAt = System.nanoTime();
		this.begun = true;
		if (this.interrupted) {
			this.thread.interrupt();
		}
	}

	/** The handler is called with this job and another one that has the thread. */
	synchronized void beginBeside() {
		this.startedAt = System.nanoTime();
		this.begun = true;
	}

	/** Whether the handler was called. */
	public boolean hasBegun() {
		return this.begun;
	}

	/**
	 * The handler has ended: from now on nothing interrupts this thread because of it.
	 */
	synchronized void end() {
		this.thread = null;
		Thread.interrupted();
	}

	/** Asks the handler to stop, without an interrupt. */
	public synchronized void askToStop(StopReason reason) {
		@Nullable StopReason before = this.stopReason;
		if (before == null || reason.compareTo(before) < 0) {
			this.stopReason = reason;
		}
	}

	/** Asks the handler to stop and interrupts it. */
	void interrupt(StopReason reason) {
		askToStop(reason);
		interruptHandler();
	}

	synchronized void interruptHandler() {
		this.interrupted = true;
		if (this.thread != null) {
			this.thread.interrupt();
		}
	}

	/** Interrupts the handler if it runs for longer than it may, once. */
	public synchronized void timeOut(Duration limit) {
		Thread running = this.thread;
		if (this.timeout == null && running != null && isOver(limit)) {
			this.timeout = new TimeoutException("timed out after " + Times.readable(limit));
			this.timeout.setStackTrace(running.getStackTrace()); // where it hangs
			interrupt(StopReason.TIMED_OUT);
		}
	}

	/** Another thread takes its slot, because the handler does not end. */
	public void abandon() {
		this.abandoned = true;
	}

	/** Whether another thread has its slot. */
	public boolean isAbandoned() {
		return this.abandoned;
	}

	/** The queue's own part of its transaction has failed. */
	public void lostTransaction(ConnectionLoss when) {
		this.lostTransaction = when;
	}

	public @Nullable ConnectionLoss lostTransaction() {
		return this.lostTransaction;
	}

	/** The handler waits: its attempt ends, even if it catches the exception. */
	void suspend(Wait wait) {
		this.pendingWait = wait;
	}

	/** What the handler waits for; {@code null}: nothing. */
	@Nullable Wait pendingWait() {
		return this.pendingWait;
	}

	/** Keeps what the calling thread logs with, for a line that another thread writes. */
	void keepLogContext() {
		this.logContext = MDC.getCopyOfContextMap();
	}

	@Nullable Map<String, String> logContext() {
		return this.logContext;
	}

	/** An error whose stack trace shows what the handler is doing now. */
	synchronized IllegalStateException stuck(String message) {
		IllegalStateException error = new IllegalStateException(message);
		error.setStackTrace((this.thread != null) ? this.thread.getStackTrace() : new StackTraceElement[0]);
		return error;
	}

	/** That the handler ran for too long, and what it was doing then. */
	public synchronized @Nullable TimeoutException timeout() {
		return this.timeout;
	}

	/** How long the handler has been running. */
	public long nanosSinceBegin() {
		return System.nanoTime() - this.startedAt;
	}

	/** Whether the handler runs, and has been running that long. */
	public synchronized boolean isOver(Duration limit) {
		return this.thread != null && Duration.ofNanos(nanosSinceBegin()).compareTo(limit) >= 0;
	}

	/** Why the handler is to stop; {@code null}: it is not. */
	public @Nullable StopReason stopReason() {
		return this.stopReason;
	}

}

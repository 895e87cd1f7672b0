package io.rowqueue.engine.worker;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

import io.rowqueue.StopReason;
import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.AttemptGate;
import io.rowqueue.engine.attempt.AttemptOutcome;
import io.rowqueue.engine.attempt.HandlerCall;
import io.rowqueue.engine.attempt.JobRunner;
import io.rowqueue.engine.attempt.Judge;
import io.rowqueue.engine.attempt.Retries;
import io.rowqueue.engine.attempt.TypeOptions;
import io.rowqueue.engine.claim.ClaimLoop;
import io.rowqueue.engine.claim.IdleTime;
import io.rowqueue.engine.claim.LaneMap;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.finish.CommittedEnds;
import io.rowqueue.engine.finish.Finisher;
import io.rowqueue.engine.finish.OutcomeWriter;
import io.rowqueue.engine.job.JobWindows;
import io.rowqueue.engine.lease.LaneStore;
import io.rowqueue.engine.lease.LeaseStore;
import io.rowqueue.engine.listen.ListenerThread;
import io.rowqueue.engine.slot.Pools;
import io.rowqueue.engine.slot.SlotListener;
import io.rowqueue.engine.slot.Timeouts;
import io.rowqueue.engine.slot.WindowWatch;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.Loop;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.engine.worker.WorkerStatus.PoolStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One registration of this process: the threads that claim, run, finish and keep the
 * leases of one worker id. It ends by {@link #stop()}, or when other workers have
 * declared it dead. Then all its writes are rejected, and {@link WorkerHost} registers a
 * new worker.
 */
final class Worker {

	private static final Logger logger = LoggerFactory.getLogger(Worker.class);

	private static final Duration LAST_EVENTS = Duration.ofSeconds(1);

	private final long id;

	private final WorkerParts parts;

	private final WorkerStore workers;

	private final Pools pools;

	private final Finisher finisher;

	private final ClaimLoop claims;

	private final Judge judge;

	private final Listener listener;

	private final Heartbeat heartbeat;

	private final CommittedEnds ends;

	private final ListenerThread events;

	private final TypeOptions types;

	private final WorkerPart part;

	private final IdleTime idle;

	private final Loop claiming;

	private final Loop beating;

	/** Its turns are taken by the thread that runs the worker, until it ends. */
	private final Loop watching;

	/** They wait for the database while jobs run, and have threads as long. */
	private final List<Loop> onDemand;

	/** The other threads, without the slots, in the order in which they start. */
	private final List<Loop> loops;

	/** Executes what no other thread of the worker waits for; idle threads end. */
	private final ExecutorService background = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "rowqueue-background");
		thread.setDaemon(true);
		return thread;
	});

	private volatile boolean fenced;

	private boolean stopped;

	/** Creates a worker the names of whose threads end with a suffix. */
	Worker(long id, WorkerParts parts, Pools pools, Outage outage, String suffix) {
		WorkerSettings settings = parts.settings();
		QueueDatabase database = parts.databases().worker();
		this.id = id;
		this.parts = parts;
		this.workers = new WorkerStore(database);
		this.pools = pools;
		this.events = new ListenerThread(parts.hooks().listener());
		this.part = parts.part().create(id, pools, parts, this.events, outage);
		this.ends = new CommittedEnds(parts.wakeUps()::jobsArrived, parts.wakeUps().admission()::keysFreed,
				parts.endings(), this::ended);
		this.finisher = new Finisher(new OutcomeWriter(database, parts.kept(), id, this.ends, parts.hooks().store(),
				this.events, this.part::written, this.part.leased()), this::reconsider);
		this.types = new TypeOptions(parts.handlers(), settings.maxAttempts());
		LaneMap lanes = new LaneMap(new LaneStore(database), parts.handlers().types(),
				Objects.requireNonNullElse(settings.aging(), Duration.ZERO));
		this.idle = new IdleTime(settings.pollInterval(), settings.idleInterval(), new Silence(), this::isNotified,
				pools, this.finisher);
		this.claims = new ClaimLoop(database, parts.hooks().store(), id, pools, lanes, this.types, this.finisher,
				settings.pollInterval(), this.idle, this.background);
		this.listener = new Listener(parts, id, this.claims, this.idle::isNow, this::jobsArrived);
		this.judge = new Judge(new Retries(parts.retryPolicy()), parts.hooks().listener());
		Timeouts timeouts = new Timeouts(pools, this.judge, this.finisher::add, this.claims, this.background);
		Reporter reporter = new Reporter(new LeaseStore(database), id, pools, this.finisher, this::wakeOnDemand);
		this.heartbeat = new Heartbeat(this.workers, id, reporter, new AdminRequests(id, pools, this.claims,
				this.finisher, parts.directStart(), this::stop, this::end)::answered, this::fence);
		this.claiming = new Loop("rowqueue-claimer" + suffix, outage, () -> {
			try {
				this.claims.turn();
			}
			finally {
				pools.claimed();
			}
		});
		PrefetchWatch prefetch = new PrefetchWatch(pools, settings.prefetchWait(),
				(job) -> !this.claims.isOnDemand(job), this::release, System::nanoTime);
		this.beating = new Loop("rowqueue-heartbeat" + suffix, outage, this.heartbeat::pause, this.heartbeat::turn);
		WindowWatch windows = new WindowWatch(parts.hooks().windows(), pools, System::nanoTime);
		Loop reporting = new Loop("rowqueue-reporter" + suffix, outage, Loop.UNTIL_WOKEN, reporter::turn);
		this.onDemand = (parts.hooks().windows() == JobWindows.NONE) ? List.of(reporting)
				: List.of(reporting, new Loop("rowqueue-windows" + suffix, outage, Loop.UNTIL_WOKEN, windows::turn));
		this.watching = new Loop("rowqueue-watch" + suffix, outage, Timeouts.INTERVAL, () -> {
			if (!pools.running().isEmpty()) {
				wakeOnDemand();
			}
			timeouts.turn();
			prefetch.turn();
		});
		this.loops = List.of(this.beating, new Loop("rowqueue-finisher" + suffix, outage, this.finisher::turn),
				new Loop("rowqueue-listener" + suffix, outage, this.listener::turn));
	}

	WorkerStatus status() {
		return new WorkerStatus(this.id, this.heartbeat.age(), this.listener.status(), this.idle.isNow(),
				this.pools.all().map(PoolStatus::of).toList());
	}

	void reconsider() {
		this.claims.reconsider();
	}

	private void release(List<ActiveJob> late) {
		this.finisher.release(late);
		late.forEach((job) -> this.parts.hooks().store().released(job.queue(), job.type()));
	}

	private void wakeOnDemand() {
		this.onDemand.forEach(Loop::wake);
	}

	private boolean ended(ActiveJob job) {
		return this.claims.ended(job);
	}

	/** Only then nothing is missed if the worker does not look itself. */
	private boolean isNotified() {
		return this.listener.status() == NotificationStatus.RECEIVING && this.part == WorkerPart.NONE
				&& !this.parts.settings().idleInterval().isZero();
	}

	private void jobsArrived(Arrivals arrivals) {
		if (arrivals.deferred() && this.idle.isNow()) {
			// whatever it was that a busy worker finds soon
			this.beating.wake();
			this.claims.lookAgain();
		}
		this.part.jobsArrived(arrivals);
		this.claims.jobsArrived(arrivals.queues());
	}

	/** Runs until the worker ends, and returns whether it was declared dead. */
	boolean run() throws InterruptedException {
		long lease = this.parts.settings().lease().toNanos();
		AttemptGate gate = new AttemptGate(this.judge, this.parts.databases().worker(), this.parts.hooks().windows(),
				this.parts.settings().maxPayloadSize(), this.id, () -> this.heartbeat.nanosOld() < lease);
		JobRunner runner = new JobRunner(gate, new HandlerCall(this.parts.attempts(), this.id, this.ends::ended),
				this.judge, this.parts.hooks());
		try (WakeUps.Registration registration = this.parts.wakeUps().listen(this::jobsArrived)) {
			logger.info("Worker {} runs {} with {}", this.id, this.parts.handlers().types(), this.pools);
			start(runner);
			this.parts.directStart().offer(this.claims.directStarts());
			this.watching.run();
			logger.debug("{} ends", registration);
			return this.fenced;
		}
		finally {
			withdraw();
			this.part.close();
		}
	}

	private void withdraw() {
		this.parts.directStart().withdraw(this.claims.directStarts());
	}

	/** Claims begin last: if another part cannot start, there is no claim to undo. */
	private void start(JobRunner runner) throws InterruptedException {
		try {
			Consumer<AttemptOutcome> finished = this.part.finished(this.finisher::add);
			SlotListener slots = this.part.slots(this.claims);
			this.pools.each((pool) -> pool.start(this.parts.threads(), runner, finished, slots));
			this.loops.forEach(Loop::start);
			this.part.start(this.parts.handlers().types(), this.types, this.finisher);
			this.claiming.start();
			// idle workers watch this one
			this.parts.wakeUps().jobsArrived(Arrivals.DEFERRED);
		}
		catch (Throwable ex) { // no more threads, for example
			stop(); // a broker may have delivered jobs
			throw ex;
		}
	}

	/** Other workers have declared this one dead, and take over all its leases. */
	private void fence() {
		if (this.watching.isStopped()) {
			return; // a heartbeat that was under way when it signed off
		}
		logger.warn("Worker {} was declared dead, because its heartbeats did not arrive for too long, or because the"
				+ " database was restored to an older state; other workers run its jobs. This process stops them and registers"
				+ " a new worker", this.id);
		this.fenced = true;
		abandon(StopReason.LEASE_LOST);
	}

	/** Stops gracefully: claims no more, lets jobs finish, releases the rest. */
	synchronized void stop() throws InterruptedException {
		if (this.stopped) {
			return; // by a restart
		}
		this.stopped = true;
		boolean written;
		try {
			withdraw();
			this.claiming.stop();
			this.claims.reconsider();
			this.part.stopReceiving();
			Judge last = new Judge(new Retries(this.parts.retryPolicy()), this.events);
			written = new GracefulStop(this.pools, this.finisher, last, this.parts.settings().shutdownTimeout())
				.run(this.claiming, this.background);
			this.part.close();
		}
		catch (InterruptedException | RuntimeException | Error ex) {
			// a second stop has no effect, and its threads would keep the process alive
			abandon(StopReason.SHUTDOWN);
			throw ex;
		}
		end();
		leave(written);
		this.events.close(LAST_EVENTS);
	}

	/** Ends without its jobs: other workers recover them. */
	private void abandon(StopReason reason) {
		this.pools.each((pool) -> {
			pool.jobs().close();
			pool.jobs().running().forEach((job) -> job.interrupt(reason));
		});
		end();
	}

	private void leave(boolean written) {
		if (!written) {
			logger.warn(
					"Worker {} has stopped and may hold jobs: {} outcomes could not be stored in time, or a claim has"
							+ " not ended. Other workers recover these jobs",
					this.id, this.finisher.unwritten().size());
			return;
		}
		try {
			boolean removed = this.workers.unregister(this.id);
			logger.info("Worker {} has stopped; {}", this.id,
					removed ? "it holds no jobs" : "other workers recover the jobs that it has lost");
		}
		catch (RuntimeException ex) {
			logger.warn("Worker {} could not end its registration; other workers will declare it dead: {}", this.id,
					ErrorText.summaryOfRoot(ex));
		}
	}

	private void end() {
		this.loops.forEach(Loop::stop);
		this.onDemand.forEach(Loop::stop);
		this.claiming.stop();
		this.claims.reconsider();
		this.finisher.end();
		this.background.shutdown();
		try {
			this.listener.close();
		}
		catch (SQLException | RuntimeException | Error ex) { // or its process would stay
			logger.debug("The session of worker {} was already broken", this.id, ex);
		}
		this.watching.stop();
	}

	/** Tells the database and the other workers when this one is idle. */
	private final class Silence implements IdleTime.Beat {

		@Override
		public boolean send(Duration interval) {
			boolean answered = false;
			try {
				boolean lives = Worker.this.heartbeat.send(interval);
				answered = true;
				return lives;
			}
			finally {
				if (!answered) { // the next one says again what is true
					Worker.this.beating.wake();
				}
			}
		}

		@Override
		public void busy() {
			Worker.this.beating.wake();
			Worker.this.parts.wakeUps().jobsArrived(Arrivals.DEFERRED);
		}

	}

}

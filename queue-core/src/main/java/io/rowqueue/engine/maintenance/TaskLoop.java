package io.rowqueue.engine.maintenance;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rowqueue.engine.maintenance.MaintenanceStore.TasksTaken;
import io.rowqueue.engine.support.Loop;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.support.Pace;
import io.rowqueue.engine.support.SuspendAwareClock;
import io.rowqueue.engine.support.Times;

/**
 * A thread that runs some tasks, one after the other. It asks the database for all of
 * them at once, and sleeps for as long as the database says.
 */
final class TaskLoop {

	/** After this time, a task that has more to do runs again; others run meanwhile. */
	private static final Duration REST = Duration.ofSeconds(1);

	/**
	 * A process that has slept this much longer than it intended was suspended, and does
	 * not know what the others did meanwhile.
	 */
	private static final Duration LATE = Duration.ofMillis(500);

	/** A process that waits so much longer leaves its turn to the others. */
	private static final Duration YIELD = TakeStatement.OTHERS_LOOK_AFTER.multipliedBy(2);

	/** There may be no other, and jobs become due meanwhile. */
	private static final Duration YIELD_EVERY = Duration.ofSeconds(5);

	private final String name;

	/**
	 * Names the processes that offer the same tasks. A process that offers others must
	 * not wait for them: they would never run tasks that they do not know.
	 */
	private final String turn;

	private final MaintenanceStore store;

	private final List<Task> tasks;

	private final List<Task> unprepared;

	private final Outage outage;

	private final LongSupplier nanoTime;

	private final Loop loop;

	/** What was taken and not begun. */
	private final Deque<Task> taken = new ArrayDeque<>();

	private boolean added;

	/** The database was out of reach, and has not answered since. */
	private boolean away;

	/** How many losses of the database of this process the tasks know of. */
	private int losses;

	private boolean yields;

	/** Whether a task of this turn has more to do. */
	private boolean unfinished;

	private final Pace yielding;

	private volatile long nextTurn;

	/** How long it waits while all workers are idle; zero: as long as otherwise. */
	private final Duration idleInterval;

	/** Whether to look although the turn is later. */
	private final AtomicBoolean again = new AtomicBoolean();

	/** Whether a turn is under way, which may have looked already. */
	private volatile boolean atWork;

	/** When the latest look began. */
	private long looked;

	/** Whether all workers were idle at the latest look. */
	private boolean idle;

	private final Consumer<Boolean> afterLook;

	/** Whether another thread sees when it is due, so that it needs none until then. */
	private volatile boolean attended;

	TaskLoop(String name, MaintenanceStore store, Outage outage, Duration idleInterval, List<Task> tasks) {
		this(name, store, outage, idleInterval, tasks, (busy) -> {
		}, SuspendAwareClock::nanoTime);
	}

	/**
	 * Creates the thread.
	 * @param name its name
	 * @param store decides whose turn it is
	 * @param outage notified of failures and successes
	 * @param idleInterval how long it waits while all workers are idle; zero: as long as
	 * otherwise
	 * @param tasks what is done
	 * @param afterLook called with whether a look has found that not all workers are idle
	 * any more
	 * @param nanoTime the clock that measures how long it slept
	 */
	TaskLoop(String name, MaintenanceStore store, Outage outage, Duration idleInterval, List<Task> tasks,
			Consumer<Boolean> afterLook, LongSupplier nanoTime) {
		this.idleInterval = idleInterval;
		this.afterLook = afterLook;
		this.name = name;
		this.turn = name + ": " + tasks.stream().map(Task::name).sorted().collect(Collectors.joining(", "));
		this.store = store;
		this.tasks = tasks;
		this.unprepared = new ArrayList<>(tasks);
		this.outage = outage;
		this.nanoTime = nanoTime;
		this.nextTurn = nanoTime.getAsLong();
		this.looked = this.nextTurn - Task.LOOK_EVERY.toNanos();
		this.yielding = Pace.dueNow(YIELD_EVERY, nanoTime);
		this.loop = new Loop(name, outage, this::threadPause, this::turn);
	}

	void start() {
		this.tasks.forEach(Task::databaseWasAway); // they may have run before
		this.nextTurn = this.nanoTime.getAsLong();
		this.loop.start();
	}

	/** There is something that could not be foreseen; for any thread. */
	void lookAgain() {
		Duration pause = pause();
		boolean late = this.atWork || pause.compareTo(Task.LOOK_EVERY) > 0 || (this.attended && pause.isZero());
		if (late && !this.again.getAndSet(true)) {
			this.loop.wake();
		}
	}

	/** Called again and again by a thread that thereby spares this one. */
	void lookIfDue() {
		this.attended = true;
		if (!this.atWork && pause().isZero()) {
			this.loop.wake();
		}
	}

	/** Lets the task that runs now be the last, and does not wait for its end. */
	void stop() {
		this.loop.stop();
	}

	void join(Duration timeout) throws InterruptedException {
		this.loop.join(timeout);
	}

	private Duration threadPause() {
		Duration pause = pause();
		return (this.attended && pause.compareTo(Loop.MAX_IDLE) > 0) ? Loop.UNTIL_WOKEN : pause;
	}

	private Duration pause() {
		return Duration.ofNanos(Math.max(0, this.nextTurn - this.nanoTime.getAsLong()));
	}

	private void turn() {
		this.atWork = true;
		try {
			if (!isTooSoon()) {
				look();
			}
		}
		finally {
			this.atWork = false;
		}
	}

	/** However often it is woken, it looks no more often than a busy one. */
	private boolean isTooSoon() {
		long now = this.nanoTime.getAsLong();
		long next = this.looked + Task.LOOK_EVERY.toNanos();
		if (this.away || !this.again.get() || now - next >= 0 || now - this.nextTurn >= 0) {
			return false;
		}
		this.nextTurn = (next - this.nextTurn < 0) ? next : this.nextTurn;
		return true;
	}

	private void look() {
		int lost = this.outage.losses();
		if (lost != this.losses || this.nanoTime.getAsLong() - this.nextTurn > LATE.toNanos()) {
			this.losses = lost;
			this.tasks.forEach(Task::databaseWasAway);
		}
		Duration pause;
		this.yields = false;
		this.unfinished = false;
		try {
			prepare();
			runTaken();
			pause = take();
			if (this.away) { // from now on, however long this try has waited
				this.tasks.forEach(Task::databaseWasAway);
				this.away = false;
			}
			long asked = this.nanoTime.getAsLong();
			runTaken();
			if (this.unfinished) {
				this.again.set(true);
				pause = Times.shorter(pause, REST);
			}
			Duration wait = (this.yields && this.yielding.nextIfDue()) ? pause.plus(YIELD) : pause;
			this.nextTurn = Math.max(asked + wait.toNanos(), this.nanoTime.getAsLong());
		}
		catch (RuntimeException ex) {
			this.again.set(true); // it may have been woken for what it has not seen
			this.away = true;
			this.tasks.forEach(Task::databaseWasAway);
			throw ex;
		}
	}

	private void prepare() {
		if (!this.added) {
			this.store.add(Stream.concat(Stream.of(this.turn), this.tasks.stream().map(Task::name)).toList());
			this.added = true;
		}
		this.unprepared.removeIf((task) -> attempt("begin of " + task.name(), task::prepare));
	}

	private Duration take() {
		List<Task> ready = this.tasks.stream().filter(Task::isReady).toList();
		if (ready.isEmpty()) {
			this.store.reach(); // a task may count for how long that has been possible
			return Task.LOOK_EVERY;
		}
		this.looked = this.nanoTime.getAsLong();
		TasksTaken taken = this.store.take(this.turn, ready,
				ready.stream().map(Task::lookEvery).min(Duration::compareTo).orElseThrow(), this.idleInterval,
				this.again.getAndSet(false));
		ready.stream().filter((task) -> taken.names().contains(task.name())).forEach(this.taken::add);
		boolean busy = this.idle && !taken.idle();
		this.idle = taken.idle();
		this.afterLook.accept(busy);
		return taken.pause();
	}

	private void runTaken() {
		while (!this.taken.isEmpty()) {
			Task task = this.taken.remove();
			if (this.loop.isStopped()) {
				this.store.hurry(task.name(), Duration.ZERO); // another process runs it
			}
			else if (task.isReady()) {
				run(task);
			}
		}
	}

	private void run(Task task) {
		attempt(task.name(), () -> {
			task.run();
			this.yields |= task.yieldsTurn();
			if (task.isUnfinished()) {
				this.store.hurry(task.name(), REST);
				this.unfinished = true;
			}
		});
	}

	/** One task that fails is no reason to leave out the others. */
	private boolean attempt(String what, Runnable work) {
		String who = this.name + " (" + what + ")";
		try {
			work.run();
			this.outage.over(who);
			return true;
		}
		catch (RuntimeException ex) {
			if (Outage.isAway(ex)) {
				throw ex;
			}
			this.outage.report(who, ex);
			return false;
		}
	}

}

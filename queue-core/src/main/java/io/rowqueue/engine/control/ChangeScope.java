package io.rowqueue.engine.control;

import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;

import io.rowqueue.engine.database.JoinedTransaction;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.QueueDatabases;
import org.jspecify.annotations.Nullable;

/**
 * Where administrative changes are made: in the transaction of the caller, or each in one
 * of its own.
 */
public final class ChangeScope {

	private final QueueDatabase own;

	private final QueueDatabase application;

	private final @Nullable JoinedTransaction joined;

	private ChangeScope(QueueDatabase own, QueueDatabase application, @Nullable JoinedTransaction joined) {
		this.own = own;
		this.application = application;
		this.joined = joined;
	}

	/**
	 * Returns a scope in which each change has a transaction of its own.
	 * @param database runs each statement in a separate transaction
	 */
	public static ChangeScope separate(QueueDatabase database) {
		return new ChangeScope(database, database, null);
	}

	/**
	 * Returns a scope in which changes are part of the caller's transaction, if there is
	 * one.
	 * @param databases the database
	 * @param transaction the caller's transaction
	 */
	public static ChangeScope joining(QueueDatabases databases, JoinedTransaction transaction) {
		return new ChangeScope(databases.worker(), databases.application(), transaction);
	}

	/** Returns whether the caller is in a transaction of the queue's database. */
	boolean isJoined() {
		return this.joined != null && this.joined.isActive();
	}

	private boolean joinToChange() {
		return this.joined != null && this.joined.join() && this.joined.joinToChange();
	}

	/** Reads what the caller sees, whose transaction may be read-only. */
	<T> T read(Function<QueueDatabase, T> work) {
		return work.apply(isJoined() ? this.application : this.own);
	}

	/** Runs statements that change something, and see what the caller sees. */
	<T> T run(Function<QueueDatabase, T> work) {
		return work.apply(joinToChange() ? this.application : this.own);
	}

	/**
	 * Changes jobs. A change that was not made leaves nothing in the caller's
	 * transaction: where a claim comes between, PostgreSQL locks the row before it sees
	 * that the job is leased, and the end of the job would wait for the caller. The
	 * caller's transaction can continue after an error of the database.
	 * @param work makes the change
	 * @param isMade whether it was made, depending on the result of the work
	 */
	<T> T change(Function<QueueDatabase, T> work, Predicate<? super T> isMade) {
		return joinToChange() ? Objects.requireNonNull(this.joined).attempt(() -> work.apply(this.application), isMade)
				: work.apply(this.own);
	}

	/** Runs work when the change is committed, and not at all after a rollback. */
	void afterCommit(Runnable work) {
		if (this.joined != null) {
			this.joined.afterCommit(work);
		}
		else {
			work.run();
		}
	}

}

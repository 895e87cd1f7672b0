package io.rowqueue.engine.operation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;

import io.rowqueue.admin.JobPage;
import io.rowqueue.admin.JobView;
import io.rowqueue.admin.operation.BulkProgress;
import io.rowqueue.admin.operation.JobChange;
import io.rowqueue.engine.maintenance.PeriodicTask;
import io.rowqueue.engine.operation.BulkStore.Turn;
import io.rowqueue.engine.search.JobSearchStore;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.support.SuspendAwareClock;
import io.rowqueue.masking.TextMasker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.TransientDataAccessException;

/**
 * Carries out operations on all jobs of a filter. It selects the jobs first: a walk
 * through a list whose jobs change their places, such as scheduled jobs that are
 * rescheduled, would not end. Then it changes them in chunks. Before each chunk it checks
 * that the filter still selects the jobs and that none was claimed after the start, so
 * that it neither changes a job twice nor an attempt that began afterwards. The jobs of a
 * chunk are changed in one transaction, except those that cannot be: they are changed one
 * by one, as all are if that transaction fails.
 */
public final class BulkTask extends PeriodicTask {

	/** How many jobs are changed before the progress is recorded. */
	static final int JOBS_PER_CHUNK = 500;

	/** How many jobs are selected at once: a page of them costs little more. */
	private static final int JOBS_PER_PAGE = 4 * JOBS_PER_CHUNK;

	/** Another process continues when the owner has not reported for longer. */
	static final Duration SILENCE = Duration.ofSeconds(30);

	/** So that changes are recorded long before that, however long each of them takes. */
	private static final Duration CHUNK_TIME = Duration.ofSeconds(5);

	/** How long other tasks wait for this one. */
	private static final Duration RUN_TIME = Duration.ofSeconds(5);

	/** Without notifications, an operation begins so soon. */
	private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

	/** If so many jobs are refused and none is changed, the others are not tried. */
	private static final int MAX_REFUSED = 10;

	private static final Logger logger = LoggerFactory.getLogger(BulkTask.class);

	private final UUID owner = UUID.randomUUID();

	private final BulkStore store;

	private final JobSearchStore search;

	private final JobChanges jobs;

	private final LongSupplier nanoTime;

	private boolean unfinished;

	/**
	 * Creates the task.
	 * @param store keeps the selected jobs and the progress
	 * @param search finds the jobs
	 * @param jobs changes them
	 */
	public BulkTask(BulkStore store, JobSearchStore search, JobChanges jobs) {
		this(store, search, jobs, SuspendAwareClock::nanoTime);
	}

	BulkTask(BulkStore store, JobSearchStore search, JobChanges jobs, LongSupplier nanoTime) {
		super("bulk", Duration.ofSeconds(1), BulkStore.UNFINISHED);
		this.store = store;
		this.search = search;
		this.jobs = jobs;
		this.nanoTime = nanoTime;
	}

	@Override
	public boolean isLong() {
		return true;
	}

	@Override
	public boolean isUnfinished() {
		return this.unfinished;
	}

	/** The start of an operation notifies. */
	@Override
	public Duration lookEvery() {
		return LOOK_EVERY;
	}

	@Override
	public void run() {
		long start = this.nanoTime.getAsLong();
		do {
			this.unfinished = continueNext();
		}
		while (this.unfinished && this.nanoTime.getAsLong() - start < RUN_TIME.toNanos());
	}

	/**
	 * Continues one operation by one page or chunk.
	 * @return whether there was one
	 */
	boolean continueNext() {
		Optional<Turn> next = this.store.take(this.owner, SILENCE);
		next.ifPresent(this::carryOn);
		return next.isPresent();
	}

	/** A filter that cannot be read any more must not keep the others waiting. */
	private void carryOn(Turn turn) {
		try {
			if (!turn.isRunning()) {
				this.store.remove(turn.id(), this.owner);
			}
			else if (turn.isSelected()) {
				change(turn);
			}
			else {
				select(turn);
			}
		}
		catch (IllegalArgumentException ex) {
			logger.warn("Operation {} cannot be carried out", turn.id(), ex);
			this.store.end(turn.id(), this.owner, "failed", "failed: " + ex.getMessage());
		}
	}

	private void select(Turn turn) {
		JobPage page = this.search.select(turn.filter(), turn.cursor(), JOBS_PER_PAGE);
		List<Long> found = page.jobs()
			.stream()
			.filter((job) -> !isLater(job.createdAt(), turn) && !isLater(job.startedAt(), turn))
			.map(JobView::id)
			.limit((turn.room() != null) ? turn.room() : JOBS_PER_PAGE)
			.toList();
		boolean full = turn.room() != null && turn.room() <= found.size();
		this.store.select(turn.id(), this.owner, found, full ? null : page.next());
	}

	private static boolean isLater(@Nullable Instant time, Turn turn) {
		return time != null && time.isAfter(turn.startedAt());
	}

	private void change(Turn turn) {
		long after = (turn.cursor() != null) ? Long.parseLong(turn.cursor()) : 0;
		List<Long> chunk = this.store.next(turn.id(), after, JOBS_PER_CHUNK);
		if (chunk.isEmpty()) {
			if (turn.change().kind() == JobChange.Kind.ERASE) {
				this.store.replaceFilter(turn.id(), withoutContents(turn));
			}
			this.store.end(turn.id(), this.owner, "done", "done");
			return;
		}
		List<Long> done = new ArrayList<>(chunk);
		List<Long> refused = new ArrayList<>();
		RuntimeException failure = null;
		RuntimeException refusal = null;
		long begin = this.nanoTime.getAsLong();
		List<Long> selected = this.search.stillSelected(turn.filter(), chunk, turn.startedAt());
		Set<Long> decided = new HashSet<>();
		int changed = changeTogether(selected, turn, decided);
		for (Long id : selected) {
			if (decided.contains(id)) {
				continue;
			}
			if (this.nanoTime.getAsLong() - begin > CHUNK_TIME.toNanos()) {
				done.remove(id); // it is part of the next chunk
				continue;
			}
			try {
				changed += change(List.of(id), turn, decided).size();
			}
			catch (DataAccessException ex) {
				if (Outage.isLocked(ex)) {
					done.remove(id); // it is part of a later chunk
					failure = ex;
				}
				else if (isTemporary(ex) || (changed == 0 && refused.size() == MAX_REFUSED)) {
					throw ex; // it is not because of these jobs
				}
				else {
					refused.add(id);
					refusal = ex;
				}
			}
		}
		for (int i = 0; i < done.size() && done.get(i).equals(chunk.get(i)); i++) {
			after = done.get(i);
		}
		this.store.done(turn.id(), this.owner, done, changed, after);
		if (refusal != null) {
			logger.warn("The database refuses {} of the jobs that operation {} was to {}; they are skipped: {}: {}",
					refused.size(), turn.id(), turn.change().kind().label(), refused, ErrorText.summaryOfRoot(refusal));
		}
		if (failure != null) {
			throw failure;
		}
	}

	private static boolean isTemporary(DataAccessException error) {
		return Outage.isTemporary(error) || error instanceof TransientDataAccessException;
	}

	/** Returns how many were changed. */
	private int changeTogether(List<Long> ids, Turn turn, Set<Long> decided) {
		if (ids.size() > 1) {
			try {
				Set<Long> changed = change(ids, turn, decided);
				decided.addAll(changed);
				return changed.size();
			}
			catch (DataAccessException ex) {
				if (Outage.isAway(ex)) {
					throw ex;
				}
				logger.debug("Operation {} changes {} jobs one by one", turn.id(), ids.size(), ex);
			}
		}
		return 0;
	}

	private Set<Long> change(List<Long> ids, Turn turn, Set<Long> rejected) {
		return switch (turn.change().kind()) {
			case RETRY -> this.jobs.retry(ids, rejected::add);
			case CANCEL -> this.jobs.cancel(ids);
			case RESCHEDULE -> this.jobs.reschedule(ids, delay(turn));
			case ERASE -> this.jobs.erase(ids);
			case PRIORITIZE -> this.jobs.prioritize(ids, Objects.requireNonNull(turn.change().priority()));
		};
	}

	/** What was erased must not be found in the record. */
	private static String withoutContents(Turn turn) {
		return new BulkProgress(turn.filter().query(), 0, null, 0, 0, null).masked(TextMasker.ALL).filter();
	}

	/** All jobs become due at the same time, however long it takes to change them. */
	private static Duration delay(Turn turn) {
		Duration delay = Objects.requireNonNull(turn.change().delay())
			.minus(Duration.between(turn.startedAt(), turn.now()));
		return delay.isNegative() ? Duration.ZERO : delay;
	}

}

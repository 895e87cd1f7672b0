package io.rowqueue.engine.measure;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

import io.rowqueue.engine.maintenance.PeriodicTask;
import io.rowqueue.engine.support.ErrorText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Mends the indexes of the queue, one after the other. What a {@code REINDEX} has left is
 * removed at any time, and indexes are rebuilt while the queue has little to do.
 */
public final class IndexTask extends PeriodicTask {

	private static final Duration INTERVAL = Duration.ofMinutes(10);

	private static final String NOT_OWNER = "42501";

	private static final String LOCK_TIMEOUT = "55P03";

	private static final String STATEMENT_TIMEOUT = "57014";

	private static final Logger logger = LoggerFactory.getLogger(IndexTask.class);

	private final IndexStore store;

	private volatile boolean refused;

	private volatile boolean unfinished;

	/**
	 * Creates the task.
	 * @param store finds and mends indexes
	 */
	public IndexTask(IndexStore store) {
		super("indexes", INTERVAL);
		this.store = store;
	}

	/** Runs in its own thread, since a large index takes minutes. */
	@Override
	public boolean isLong() {
		return true;
	}

	@Override
	public Duration lookEvery() {
		return INTERVAL;
	}

	@Override
	public boolean isReady() {
		return !this.refused;
	}

	@Override
	public boolean isUnfinished() {
		return this.unfinished;
	}

	@Override
	public boolean yieldsTurn() {
		return this.refused;
	}

	@Override
	public void run() {
		List<IndexTrouble> found = this.store.find();
		IndexTrouble next = next(found);
		this.unfinished = next != null && mend(next) && found.size() > 1;
	}

	private @Nullable IndexTrouble next(List<IndexTrouble> found) {
		for (IndexTrouble index : found) {
			if (index.state().equals(IndexTrouble.LEFT_OVER)) {
				return index;
			}
		}
		return (found.isEmpty() || !this.store.isQuiet()) ? null : found.get(0);
	}

	private boolean mend(IndexTrouble index) {
		String remedy = this.store.remedy(index);
		logger.info("{}: {}", index.description(), remedy);
		try {
			this.store.mend(index);
			return true;
		}
		catch (DataAccessException ex) {
			String state = (ex.getMostSpecificCause() instanceof SQLException cause) ? cause.getSQLState() : null;
			if (NOT_OWNER.equals(state) || IndexStore.IN_TRANSACTION.equals(state)) {
				this.refused = true;
				logger.warn(
						"{}, and this process cannot mend it: {}. Let its owner run: {}; or set"
								+ " rowqueue.indexes.rebuild to false",
						index.description(), NOT_OWNER.equals(state) ? "its role does not own the table"
								: "it reaches the database through a connection pooler",
						remedy);
				return false;
			}
			if (LOCK_TIMEOUT.equals(state) || STATEMENT_TIMEOUT.equals(state)) {
				logger.info("{} was interrupted, and is tried again later: {}", remedy, ErrorText.summary(ex));
				return false;
			}
			throw ex;
		}
	}

}

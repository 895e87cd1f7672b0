package io.rowqueue.engine.control;

import java.util.List;

import io.rowqueue.control.Pause;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.support.LogText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pauses of queues and types. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects a statement
 * or is not available.
 */
final class PauseStore {

	private static final Logger logger = LoggerFactory.getLogger(DefaultJobControl.class);

	private static final int MAX_LOGGED_LENGTH = 500;

	private static final String PAUSE = """
			insert into {schema}.pause (kind, name, reason) values (?, ?, ?) on conflict do nothing""";

	private static final String RESUME = """
			delete from {schema}.pause where kind = ? and name = ? and source in ('', ':hold')""";

	private static final String PAUSES = """
			select distinct on (kind, name) kind, name, paused_at, reason, open_from from {schema}.pause
			where source = '' or (source = ':hold' and kind <> 'key' and open_from > clock_timestamp())
			order by kind, name, source""";

	private final QueueDatabase database;

	private final ChangeScope changes;

	PauseStore(QueueDatabase database, ChangeScope changes) {
		this.database = database;
		this.changes = changes;
	}

	/** Pauses a queue or type; returns false if it is already paused. */
	boolean pause(String kind, String name, @Nullable String reason) {
		boolean paused = this.changes.run((database) -> database.update(PAUSE, kind, name, reason) == 1);
		if (paused) {
			this.changes.afterCommit(
					() -> logger.info("The {} '{}' is paused: {}", kind, LogText.oneLine(name, MAX_LOGGED_LENGTH),
							(reason != null) ? LogText.oneLine(reason, MAX_LOGGED_LENGTH) : "no reason given"));
		}
		return paused;
	}

	/** Resumes a queue or type; returns false if it was not paused. */
	boolean resume(String kind, String name) {
		boolean resumed = this.changes.run((database) -> database.update(RESUME, kind, name) > 0);
		if (resumed) {
			this.changes.afterCommit(
					() -> logger.info("The {} '{}' is resumed", kind, LogText.oneLine(name, MAX_LOGGED_LENGTH)));
		}
		return resumed;
	}

	/** Returns what is paused. */
	List<Pause> list() {
		return this.database.query(PAUSES, (row, index) -> new Pause(row.getString("kind"), row.getString("name"),
				Sql.time(row, "paused_at"), row.getString("reason"), null, Sql.instant(row, "open_from")));
	}

}

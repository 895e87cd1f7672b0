package io.rowqueue.engine.operation;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import io.rowqueue.admin.operation.BulkProgress;
import io.rowqueue.admin.operation.Operation;
import io.rowqueue.admin.operation.OperationOutcome;
import io.rowqueue.admin.operation.Operations.Filter;
import io.rowqueue.admin.operation.RecordedOperation;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.support.LogText;
import org.jspecify.annotations.Nullable;

/**
 * The records of operations. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects a statement
 * or is not available.
 */
public final class OperationStore {

	private static final int MAX_NAME = 500;

	private static final int MAX_TEXT = 2000;

	private static final String BEGIN = """
			insert into {schema}.operation (who, via, address, action, kind, name, reason, parameters)
			values (?, ?, ?, ?, ?, ?, ?, jsonb_object(?::text[], ?::text[])) returning id""";

	private static final String END = """
			update {schema}.operation set state = ?, message = ?, jobs = ?, ended_at = clock_timestamp() where id = ?""";

	/**
	 * An operation that has not ended after a quarter of an hour belongs to a process
	 * that ended.
	 */
	private static final String COLUMNS = """
			id, at, who, via, address, action, kind, name, reason, message, jobs, ended_at,
				array(select array[p.key, p.value] from jsonb_each_text(parameters) p where p.value is not null) as parameters,
				filter, selected, selected_at, skipped, touched_at,
				case when state = 'begun' and at < clock_timestamp() - interval '15 minutes' then 'unknown' else state end as state""";

	private static final String LIST = "select " + COLUMNS + """
			 from {schema}.operation
			where id < ? and kind = coalesce(?, kind) and who = coalesce(?, who) and action = coalesce(?, action)
			order by id desc limit ?""";

	private static final String LIST_OF_NAME = "select " + COLUMNS + """
			 from {schema}.operation
			where kind = ? and name = ? and id < ? and who = coalesce(?, who) and action = coalesce(?, action)
			order by kind desc, name desc, id desc limit ?""";

	private static final String FIND = "select " + COLUMNS + " from {schema}.operation where id = ?";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database runs each statement in a transaction of its own
	 */
	public OperationStore(QueueDatabase database) {
		this.database = database;
	}

	/** Records the beginning of an operation; returns the id of the record. */
	long begin(Operation request) {
		Map<String, String> parameters = request.parameters();
		List<String> names = List.copyOf(parameters.keySet());
		return this.database
			.query(BEGIN, (row, index) -> row.getLong("id"), name(request.who()), name(request.via()),
					name(request.address()), name(request.action()), name(request.kind()), name(request.name()),
					text(request.reason()), names.stream().map(OperationStore::name).toArray(String[]::new),
					names.stream().map((each) -> text(parameters.get(each))).toArray(String[]::new))
			.get(0);
	}

	/** Records the outcome of an operation. */
	void end(long id, OperationOutcome outcome) {
		this.database.update(END, outcome.state().label(), text(outcome.message()), outcome.jobs(), id);
	}

	/** Returns operations with lower ids, the latest first. */
	List<RecordedOperation> list(Filter filter, long before, int limit) {
		String kind = name(filter.kind());
		String name = name(filter.name());
		String who = name(filter.who());
		String action = name(filter.action());
		return (name == null)
				? this.database.query(LIST, (row, index) -> operation(row), before, kind, who, action, limit)
				: this.database.query(LIST_OF_NAME, (row, index) -> operation(row), kind, name, before, who, action,
						limit);
	}

	/** Returns an operation. */
	Optional<RecordedOperation> find(long id) {
		return this.database.first(FIND, (row, index) -> operation(row), id);
	}

	private static RecordedOperation operation(ResultSet row) throws SQLException {
		return new RecordedOperation(row.getLong("id"), Sql.time(row, "at"), row.getString("who"), row.getString("via"),
				row.getString("address"), row.getString("action"), row.getString("kind"), row.getString("name"),
				parameters(row), row.getString("reason"),
				RecordedOperation.State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
				row.getString("message"), row.getObject("jobs", Long.class), Sql.instant(row, "ended_at"), bulk(row));
	}

	private static Map<String, String> parameters(ResultSet row) throws SQLException {
		Map<String, String> found = new LinkedHashMap<>();
		for (Object each : (Object[]) row.getArray("parameters").getArray()) {
			String[] parameter = (String[]) each;
			found.put(parameter[0], parameter[1]);
		}
		return found;
	}

	private static @Nullable BulkProgress bulk(ResultSet row) throws SQLException {
		String filter = row.getString("filter");
		return (filter == null) ? null
				: new BulkProgress(filter, row.getLong("selected"), Sql.instant(row, "selected_at"),
						row.getLong("jobs"), row.getLong("skipped"), Sql.instant(row, "touched_at"));
	}

	static @Nullable String name(@Nullable String name) {
		return (name != null) ? LogText.oneLine(name, MAX_NAME) : null;
	}

	/** Removes characters that PostgreSQL cannot store, such as NUL. */
	static @Nullable String text(@Nullable String text) {
		return (text != null) ? LogText.oneLine(text, MAX_TEXT) : null;
	}

}

package io.rowqueue.engine.database;

import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Binds the parameters of a statement in the order of its placeholders.
 */
public final class Parameters {

	private final PreparedStatement statement;

	private int index;

	public Parameters(PreparedStatement statement) {
		this(statement, 1);
	}

	/** Creates an instance for a statement whose first parameters are already bound. */
	public Parameters(PreparedStatement statement, int next) {
		this.statement = statement;
		this.index = next - 1;
	}

	public Parameters number(long value) throws SQLException {
		this.statement.setLong(++this.index, value);
		return this;
	}

	public Parameters integer(int value) throws SQLException {
		this.statement.setInt(++this.index, value);
		return this;
	}

	public Parameters text(String value) throws SQLException {
		this.statement.setString(++this.index, value);
		return this;
	}

	public Parameters flag(boolean value) throws SQLException {
		this.statement.setBoolean(++this.index, value);
		return this;
	}

	public Parameters numberOrNull(@Nullable Long value) throws SQLException {
		this.statement.setObject(++this.index, value, Types.BIGINT);
		return this;
	}

	public Parameters texts(Collection<String> values) throws SQLException {
		return array("text", values, (value) -> value);
	}

	public Parameters numbers(Collection<Long> values) throws SQLException {
		return array("bigint", values, (value) -> value);
	}

	public <T> Parameters array(String type, Collection<T> values, Function<T, @Nullable Object> value)
			throws SQLException {
		return array(Sql.array(this.statement, type, values, value));
	}

	/**
	 * Binds the parameters of {@link Sql#HELD}.
	 * @param id returns the id of a leased job
	 * @param token returns the lease token
	 */
	public <L> Parameters held(long workerId, List<L> leases, Function<L, @Nullable Object> id,
			Function<L, @Nullable Object> token) throws SQLException {
		Array ids = Sql.array(this.statement, "bigint", leases, id);
		return array(ids).number(workerId).array("integer", leases, token).array(ids);
	}

	/**
	 * Binds one value for each row, which the statement reads as
	 * {@code (?::type[])[array_position(?::bigint[], id)]}.
	 * @param values the values, in the order of the rows
	 * @param rows the rows
	 * @param id returns the id of a row
	 */
	public <T, R> Parameters byId(String type, List<T> values, Function<T, @Nullable Object> value, List<R> rows,
			Function<R, @Nullable Object> id) throws SQLException {
		return array(type, values, value).array("bigint", rows, id);
	}

	private Parameters array(Array array) throws SQLException {
		this.statement.setArray(++this.index, array);
		return this;
	}

}

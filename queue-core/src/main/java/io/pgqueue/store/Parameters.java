package io.pgqueue.store;

import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Binds the parameters of a statement one after the other, in the order in which its text
 * names them.
 */
final class Parameters {

	private final PreparedStatement statement;

	private int index;

	Parameters(PreparedStatement statement) {
		this(statement, 1);
	}

	/** Of a statement whose first parameters are bound. */
	Parameters(PreparedStatement statement, int next) {
		this.statement = statement;
		this.index = next - 1;
	}

	Parameters number(long value) throws SQLException {
		this.statement.setLong(++this.index, value);
		return this;
	}

	Parameters integer(int value) throws SQLException {
		this.statement.setInt(++this.index, value);
		return this;
	}

	Parameters flag(boolean value) throws SQLException {
		this.statement.setBoolean(++this.index, value);
		return this;
	}

	Parameters numberOrNull(@Nullable Long value) throws SQLException {
		this.statement.setObject(++this.index, value, Types.BIGINT);
		return this;
	}

	Parameters texts(Collection<String> values) throws SQLException {
		return array("text", values, (value) -> value);
	}

	Parameters numbers(Collection<Long> values) throws SQLException {
		return array("bigint", values, (value) -> value);
	}

	<T> Parameters array(String type, Collection<T> values, Function<T, @Nullable Object> value) throws SQLException {
		return array(Sql.array(this.statement, type, values, value));
	}

	Parameters ids(Collection<Lease> leases) throws SQLException {
		return array("bigint", leases, Lease::jobId);
	}

	/** Binds what {@link Sql#HELD} asks for. */
	Parameters leases(long workerId, List<Lease> leases) throws SQLException {
		Array ids = Sql.array(this.statement, "bigint", leases, Lease::jobId);
		return array(ids).number(workerId).array("integer", leases, Lease::token).array(ids);
	}

	/**
	 * Binds one value for each lease, which the statement reads as
	 * {@code (?::type[])[array_position(?::bigint[], id)]}.
	 * @param values one for each of the leases, in their order
	 * @param leases the leases
	 */
	<T> Parameters byId(String type, List<T> values, Function<T, @Nullable Object> value, List<Lease> leases)
			throws SQLException {
		return array(type, values, value).ids(leases);
	}

	private Parameters array(Array array) throws SQLException {
		this.statement.setArray(++this.index, array);
		return this;
	}

}

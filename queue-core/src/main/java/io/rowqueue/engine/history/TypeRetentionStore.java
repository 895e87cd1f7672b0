package io.rowqueue.engine.history;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;

/**
 * How long finished jobs of single types are kept, as the applications of the cluster
 * have declared it: the process that deletes them may belong to an application that does
 * not know the type. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects a statement
 * or is not available.
 */
public final class TypeRetentionStore {

	private static final String DECLARE = """
			with undeclared as (
				delete from {schema}.type_retention where type = any (?::text[]))
			insert into {schema}.type_retention (type, age)
			select d.type, d.micros * interval '1 microsecond' from unnest(?::text[], ?::bigint[]) as d (type, micros)
			on conflict (type) do update set age = excluded.age where type_retention.age <> excluded.age""";

	private static final String LIST = """
			select type, (extract(epoch from age) * 1000000)::bigint as micros from {schema}.type_retention""";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database runs each statement in a separate transaction
	 */
	public TypeRetentionStore(QueueDatabase database) {
		this.database = database;
	}

	/**
	 * Stores what an application declares.
	 * @param ages the maximum ages, by type
	 * @param types the types that the application runs; those without an age have none
	 * from now on
	 */
	public void declare(Map<String, Duration> ages, Collection<String> types) {
		List<String> undeclared = new ArrayList<>(types);
		undeclared.removeAll(ages.keySet());
		List<Map.Entry<String, Duration>> declared = List.copyOf(ages.entrySet());
		this.database.update(DECLARE,
				(statement) -> new Parameters(statement).texts(undeclared)
					.array("text", declared, Map.Entry::getKey)
					.array("bigint", declared, (type) -> Sql.micros(Retention.atMost(type.getValue()))));
	}

	/** Returns the maximum ages of finished jobs, by type. */
	Map<String, Duration> list() {
		Map<String, Duration> ages = new HashMap<>();
		this.database.query(LIST, (row, index) -> Map.entry(row.getString("type"), row.getLong("micros")))
			.forEach((type) -> ages.put(type.getKey(), Duration.of(type.getValue(), ChronoUnit.MICROS)));
		return ages;
	}

}

package io.rowqueue.engine.limit;

import java.util.LinkedHashMap;
import java.util.Map;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.support.FairnessKey;

/**
 * The weights of fairness keys. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects a statement
 * or is not available.
 */
public final class WeightStore {

	private static final String SET = """
			insert into {schema}.fair_weight (limit_key, weight) values (?, ?)
			on conflict (limit_key) do update set weight = excluded.weight""";

	private static final String REMOVE = """
			delete from {schema}.fair_weight where limit_key = ?""";

	private static final String LIST = """
			select substr(limit_key, 6) as key, weight from {schema}.fair_weight order by limit_key""";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database runs each statement in a separate transaction
	 */
	public WeightStore(QueueDatabase database) {
		this.database = database;
	}

	/** Sets the weight of a fairness key. A weight of 1 is not stored. */
	public void set(String fairnessKey, int weight) {
		String key = FairnessKey.PREFIX + fairnessKey;
		if (weight == 1) {
			this.database.update(REMOVE, key);
		}
		else {
			this.database.update(SET, key, weight);
		}
	}

	/** Returns the weights of fairness keys other than 1. */
	public Map<String, Integer> list() {
		Map<String, Integer> weights = new LinkedHashMap<>();
		this.database.forEach(LIST, (row) -> weights.put(row.getString("key"), row.getInt("weight")));
		return weights;
	}

}

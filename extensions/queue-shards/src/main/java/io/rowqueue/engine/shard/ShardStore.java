package io.rowqueue.engine.shard;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import org.jspecify.annotations.Nullable;

/** What a database knows of the shards of its queue. Each method is one statement. */
public final class ShardStore {

	private static final String IDENTITY = "select number, name, first_id from {schema}.shard_identity";

	private static final String REGISTER = "select shard_number, highest_id from {schema}.register_shard(?)";

	private static final String JOIN = "select {schema}.join_shards(?::smallint, ?, ?)";

	private static final String REGISTERED = "select number, name from {schema}.shard";

	private static final String REGISTER_AGAIN = "insert into {schema}.shard (number, name) values (?, ?) on conflict do nothing";

	private static final String BUCKETS = "select bucket, state, target from {schema}.shard_bucket";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database the database of the shard, as workers see it
	 */
	public ShardStore(QueueDatabase database) {
		this.database = database;
	}

	/** Returns which shard the database is, if it is one. */
	Optional<ShardIdentity> identity() {
		return this.database.first(IDENTITY, (row, index) -> new ShardIdentity(row.getInt("number"),
				row.getString("name"), row.getLong("first_id")));
	}

	/**
	 * Gives a number to a shard, or returns that which it has. Only of the home shard.
	 */
	Registration register(String name) {
		return this.database
			.query(REGISTER, (row, index) -> new Registration(row.getInt("shard_number"), row.getLong("highest_id")),
					name)
			.get(0);
	}

	/** Returns the names of all shards by their numbers. Only of the home shard. */
	Map<Integer, String> registered() {
		Map<Integer, String> registered = new HashMap<>();
		this.database.forEach(REGISTERED, (row) -> registered.put(row.getInt("number"), row.getString("name")));
		return Map.copyOf(registered);
	}

	/**
	 * Registers a shard again that has a number already. Only of the home shard, which is
	 * an older state of its own.
	 */
	void registerAgain(int number, String name) {
		this.database.update(REGISTER_AGAIN, number, name);
	}

	/** Makes the database a shard, unless it is that one already. */
	void join(Registration registration, String name) {
		this.database.query(JOIN, (row, index) -> "", registration.number(), name, registration.highestId());
	}

	/** Returns what the database knows of buckets. */
	List<Bucket> buckets() {
		return this.database.query(BUCKETS,
				(row, index) -> new Bucket(row.getInt("bucket"), row.getString("state"), Sql.integer(row, "target")));
	}

	/**
	 * Which shard a database is.
	 *
	 * @param firstId the first id that it gave as a shard
	 */
	record ShardIdentity(int number, String name, long firstId) {
	}

	/**
	 * The number of a shard.
	 *
	 * @param highestId an id that no job of the home shard exceeds
	 */
	record Registration(int number, long highestId) {
	}

	/**
	 * A bucket that was moved.
	 *
	 * @param target the shard that it has left to; {@code null}: it is here
	 */
	record Bucket(int number, String state, @Nullable Integer target) {
	}

}

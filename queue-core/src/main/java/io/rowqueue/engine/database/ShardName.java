package io.rowqueue.engine.database;

/**
 * The shard that the beans of a context serve. There is no such bean in an application
 * whose queue has one database.
 *
 * @param value the name of the shard
 * @param home whether it is the home shard
 */
public record ShardName(String value, boolean home) {
}

package io.rowqueue.shard;

import java.util.Map;

import javax.sql.DataSource;

/**
 * The shards of an application whose databases come and go while it runs, such as those
 * of tenants. Declare one as a bean. It is asked at the start of the application, every
 * 30 seconds, and on {@link Shards#refresh()}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ShardSource {

	/**
	 * Returns the shards besides those of the properties. The name of a shard stays the
	 * same for ever. Workers start with a shard that is new, and stop with one that is
	 * missing; an exception changes nothing. To replace a data source, leave its shard
	 * out until the log says that it is not used any more.
	 * @return the data sources by the name of the shard; the caller does not close them
	 */
	Map<String, DataSource> shards();

}

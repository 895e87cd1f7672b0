package io.pgqueue.autoconfigure;

import java.util.Map;

import io.pgqueue.shard.ShardRole;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/**
 * The properties of the shards.
 *
 * @param shards Databases that are one queue together with the queue's own, by name.
 */
@ConfigurationProperties("pgqueue")
public record ShardProperties(@DefaultValue Map<String, Database> shards) {

	public ShardProperties {
		shards.forEach((name, database) -> PropertyCheck.of(PropertyName.of("pgqueue.shards", name),
				() -> Assert.isTrue(StringUtils.hasText(database.datasource) != StringUtils.hasText(database.url),
						"either datasource or url must be set")));
	}

	/**
	 * A database of the queue.
	 *
	 * @param datasource Name of the DataSource bean of the shard.
	 * @param url JDBC URL of the shard, instead of a DataSource bean.
	 * @param username User of the connections to the URL.
	 * @param password Password of the user.
	 * @param role Whether jobs run in the shard, or are only enqueued there and handed
	 * over to the other shards.
	 */
	public record Database(@Nullable String datasource, @Nullable String url, @Nullable String username,
			@Nullable String password, @DefaultValue("queue") ShardRole role) {

		@Override
		public String toString() {
			return "Database[datasource=" + this.datasource + "]";
		}

	}

}

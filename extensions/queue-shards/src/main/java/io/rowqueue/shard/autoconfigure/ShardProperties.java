package io.rowqueue.shard.autoconfigure;

import io.rowqueue.engine.support.PropertyCheck;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/**
 * A shard: a database of the queue.
 *
 * @param datasource Name of the DataSource bean of the shard.
 * @param url JDBC URL of the shard, instead of a DataSource bean.
 * @param username User of the connections to the URL.
 * @param password Password of the user.
 */
record ShardProperties(@Nullable String datasource, @Nullable String url, @Nullable String username,
		@Nullable String password) {

	void check(String name) {
		PropertyCheck.of(name,
				() -> Assert.isTrue(StringUtils.hasText(this.datasource) != StringUtils.hasText(this.url),
						"either datasource or url must be set"));
	}

	@Override
	public String toString() {
		return "ShardProperties[datasource=" + this.datasource + "]";
	}

}

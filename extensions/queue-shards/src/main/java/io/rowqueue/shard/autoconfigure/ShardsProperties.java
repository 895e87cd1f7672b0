package io.rowqueue.shard.autoconfigure;

import java.util.Map;

import io.rowqueue.engine.support.PropertyName;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of shards.
 *
 * @param shards Databases that are one queue together with the queue's own, by name.
 * @since 0.1.0
 */
@ConfigurationProperties("rowqueue")
public record ShardsProperties(@DefaultValue Map<String, ShardProperties> shards) {

	public ShardsProperties {
		shards.forEach((name, shard) -> shard.check(PropertyName.of("rowqueue.shards", name)));
	}

}

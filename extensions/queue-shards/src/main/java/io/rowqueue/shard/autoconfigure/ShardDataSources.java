package io.rowqueue.shard.autoconfigure;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import javax.sql.DataSource;

import io.rowqueue.engine.database.ApplicationDataSource;
import io.rowqueue.shard.Shard;
import io.rowqueue.shard.ShardSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.jdbc.DataSourceBuilder;

/** The data sources of all shards besides the home shard. */
final class ShardDataSources implements AutoCloseable {

	private final Map<String, ShardProperties> properties;

	private final DataSource home;

	private final BeanFactory beans;

	private final ObjectProvider<ShardSource> sources;

	/** Those that were created for URLs. */
	private final Map<String, DataSource> created = new HashMap<>();

	ShardDataSources(Map<String, ShardProperties> properties, ApplicationDataSource home, BeanFactory beans,
			ObjectProvider<ShardSource> sources) {
		this.properties = properties;
		this.home = home.dataSource();
		this.beans = beans;
		this.sources = sources;
	}

	/** Returns the name of the shard that has the application's data source. */
	String home() {
		return this.properties.entrySet()
			.stream()
			.filter((each) -> isHome(each.getValue()))
			.map(Map.Entry::getKey)
			.findFirst()
			.orElse(Shard.HOME);
	}

	private boolean isHome(ShardProperties shard) {
		return shard.datasource() != null && bean(shard.datasource()) == this.home;
	}

	private DataSource bean(String name) {
		return this.beans.getBean(name, DataSource.class);
	}

	/** Returns the data sources by the names of the shards. */
	Map<String, DataSource> others() {
		Map<String, DataSource> others = new LinkedHashMap<>();
		this.properties.forEach((name, shard) -> {
			if (!isHome(shard)) {
				others.put(name, (shard.datasource() != null) ? bean(shard.datasource())
						: this.created.computeIfAbsent(name, (missing) -> create(shard)));
			}
		});
		this.sources.orderedStream().forEach((source) -> others.putAll(source.shards()));
		others.remove(home());
		return others;
	}

	private static DataSource create(ShardProperties shard) {
		return DataSourceBuilder.create()
			.url(Objects.requireNonNull(shard.url()))
			.username(shard.username())
			.password(shard.password())
			.build();
	}

	@Override
	public void close() throws Exception {
		for (DataSource each : this.created.values()) {
			if (each instanceof AutoCloseable closeable) {
				closeable.close();
			}
		}
	}

}

package io.rowqueue.lab.verify.site;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.PrivatePostgres;

/** Three servers whose databases are one queue. */
public final class ShardedSite extends Site {

	/** The names of the shards. */
	public static final List<String> SHARDS = List.of("home", "eu", "us");

	private final List<Site> shards;

	private ShardedSite(List<Site> shards) {
		super(server(shards.get(0)).database(), null);
		this.shards = shards;
	}

	/** Creates the servers. */
	public static ShardedSite create(Sites sites) {
		return new ShardedSite(
				SHARDS.stream().map((name) -> sites.own("shard-" + name, Map.of("max_connections", "60"))).toList());
	}

	private static PrivatePostgres server(Site shard) {
		return shard.server().orElseThrow();
	}

	/** The server of a shard. */
	public PrivatePostgres server(int shard) {
		return server(this.shards.get(shard));
	}

	@Override
	public Map<String, String> properties() {
		Map<String, String> properties = new LinkedHashMap<>(super.properties());
		for (int i = 1; i < SHARDS.size(); i++) {
			Database database = server(i).database();
			String prefix = "rowqueue.shards." + SHARDS.get(i) + ".";
			properties.put(prefix + "url", database.url() + (database.url().contains("?") ? "&" : "?")
					+ "connectTimeout=2&ApplicationName=" + APPLICATION);
			properties.put(prefix + "username", database.username());
			properties.put(prefix + "password", database.password());
		}
		return properties;
	}

	@Override
	public List<Site> databases() {
		return this.shards;
	}

	/** What has left one shard and has not arrived at another one waits as well. */
	@Override
	public long waiting() throws SQLException {
		long waiting = 0;
		for (Site shard : this.shards) {
			waiting += shard.waiting() + shard.number("select count(*) from {}.shard_handover_row");
		}
		return waiting;
	}

	@Override
	public void clear() throws SQLException {
		for (Site shard : this.shards) {
			shard.clear();
		}
	}

	@Override
	public void close() {
		SHARDS.forEach((name) -> server(SHARDS.indexOf(name)).close());
	}

}

package io.rowqueue.modulith;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.rowqueue.modulith.shop.Shop;
import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import io.rowqueue.postgres.PrivatePostgres;
import io.rowqueue.postgres.StopMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.awaitility.Awaitility.await;

/** Events are ordered in each shard, whenever it comes. */
class EventsInShardsTests {

	@Test
	void anApplicationStartsWithoutItsHomeShardAndOrdersItsEventsLater(@TempDir Path directory) {
		Database eu = DevPostgres.shared().createDatabase("modulith");
		try (PrivatePostgres server = PrivatePostgres.create(directory.resolve("home"), Map.of())) {
			Database home = server.database();
			server.stop(StopMode.IMMEDIATE);
			try (ConfigurableApplicationContext shop = start(home, eu)) {
				server.start();
				await().atMost(Duration.ofMinutes(3)).until(() -> ordersEvents(home) && ordersEvents(eu));
			}
		}
	}

	private static ConfigurableApplicationContext start(Database home, Database eu) {
		return new SpringApplicationBuilder(Shop.class).web(WebApplicationType.NONE)
			.run("--spring.datasource.url=" + home.url(), "--spring.datasource.username=" + home.username(),
					"--spring.datasource.password=" + home.password(),
					"--spring.datasource.hikari.connection-timeout=2000", "--rowqueue.shards.eu.url=" + eu.url(),
					"--rowqueue.shards.eu.username=" + eu.username(), "--rowqueue.shards.eu.password=" + eu.password(),
					"--spring.modulith.events.externalization.mode=outbox");
	}

	private static boolean ordersEvents(Database shard) {
		JdbcClient db = JdbcClient.create(shard.dataSource());
		List<?> tables = db.sql("select to_regclass('rowqueue.job_limit') is not null as created")
			.query()
			.singleColumn();
		return tables.equals(List.of(true))
				&& db.sql("select count(*) from rowqueue.job_limit where name = 'module-events' and ordered")
					.query(Long.class)
					.single() == 1;
	}

}

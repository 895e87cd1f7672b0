package io.rowqueue.test.shop;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Configures the application with a database by its URL. */
interface OnDevPostgres {

	@DynamicPropertySource
	static void database(DynamicPropertyRegistry properties) {
		Database database = DevPostgres.shared().createDatabase("shop");
		properties.add("spring.datasource.url", database::url);
		properties.add("spring.datasource.username", database::username);
		properties.add("spring.datasource.password", database::password);
		properties.add("spring.datasource.hikari.minimum-idle", () -> 0);
	}

}

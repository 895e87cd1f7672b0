package io.rowqueue.sample;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/**
 * Gives a test class a database of its own, shared with all that run in the same context.
 */
public interface OnDevPostgres {

	@DynamicPropertySource
	static void database(DynamicPropertyRegistry properties) {
		Database database = DevPostgres.shared().createDatabase("sample");
		properties.add("spring.datasource.url", database::url);
		properties.add("spring.datasource.username", database::username);
		properties.add("spring.datasource.password", database::password);
		properties.add("spring.datasource.hikari.minimum-idle", () -> 0);
	}

}

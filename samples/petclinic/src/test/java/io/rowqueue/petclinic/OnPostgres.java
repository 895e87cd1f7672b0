package io.rowqueue.petclinic;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Gives the tests a database of their own. */
public interface OnPostgres {

	@DynamicPropertySource
	static void database(DynamicPropertyRegistry properties) {
		Database database = DevPostgres.shared().createDatabase("petclinic");
		properties.add("spring.datasource.url", database::url);
		properties.add("spring.datasource.username", database::username);
		properties.add("spring.datasource.password", database::password);
		properties.add("spring.datasource.hikari.minimum-idle", () -> 0);
	}

}

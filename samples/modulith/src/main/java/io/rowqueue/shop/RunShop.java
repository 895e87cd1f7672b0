package io.rowqueue.shop;

import java.nio.file.Path;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.system.ApplicationHome;

/**
 * Runs the shop with a PostgreSQL server of its own. Leave it out in your application.
 */
public final class RunShop {

	private RunShop() {
	}

	public static void main(String[] args) {
		Path classes = new ApplicationHome(RunShop.class).getDir().toPath();
		Database database = DevPostgres.in(classes.resolveSibling("shop-data")).database("shop");
		new SpringApplicationBuilder(Shop.class)
			.properties("spring.datasource.url=" + database.url(), "spring.datasource.username=" + database.username(),
					"spring.datasource.password=" + database.password())
			.run(args);
	}

}

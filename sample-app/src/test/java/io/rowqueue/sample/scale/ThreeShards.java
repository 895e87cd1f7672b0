package io.rowqueue.sample.scale;

import java.util.List;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Gives a test class two databases besides that of the application. */
interface ThreeShards {

	@DynamicPropertySource
	static void shards(DynamicPropertyRegistry properties) {
		for (String name : List.of("eu", "us")) {
			Database database = DevPostgres.shared().createDatabase("sample");
			String prefix = "rowqueue.shards." + name + ".";
			properties.add(prefix + "url", database::url);
			properties.add(prefix + "username", database::username);
			properties.add(prefix + "password", database::password);
		}
	}

}

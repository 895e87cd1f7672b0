package io.rowqueue.shop;

import java.time.Duration;
import java.util.List;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import io.rowqueue.shop.order.Orders;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.modulith.core.ApplicationModules;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
class ShopTests {

	@Autowired
	Orders orders;

	@Autowired
	JdbcClient db;

	@Autowired
	TransactionTemplate transactions;

	@DynamicPropertySource
	static void database(DynamicPropertyRegistry properties) {
		Database database = DevPostgres.shared().createDatabase("shop");
		properties.add("spring.datasource.url", database::url);
		properties.add("spring.datasource.username", database::username);
		properties.add("spring.datasource.password", database::password);
		properties.add("spring.datasource.hikari.minimum-idle", () -> 0);
	}

	@Test
	void theModulesKnowEachOtherInOneDirection() {
		ApplicationModules.of(Shop.class).verify();
	}

	@Test
	void anOrderIsConfirmedCountedAndShipped() {
		long order = this.orders.place("ada");

		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.untilAsserted(() -> assertThat(
					rows("select 1 from mail join point using (order_id) join shipment using (order_id)"
							+ " where picked_up_at is not null and order_id = " + order))
				.hasSize(1));
	}

	@Test
	void aRolledBackOrderHasNoConsequences() {
		this.transactions.executeWithoutResult((transaction) -> {
			this.orders.place("nobody");
			transaction.setRollbackOnly();
		});

		assertThat(rows("select 1 from rowqueue.job where payload::text like '%nobody%'")).isEmpty();
	}

	private List<Integer> rows(String sql) {
		return this.db.sql(sql).query(Integer.class).list();
	}

}

package io.rowqueue.autoconfigure.connection;

import java.sql.Connection;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.engine.database.ApplicationDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;

class DataSourceSelectionTests {

	@Test
	void noConnectionIsOpenedIfTheAddressIsThatOfAPostgreSql() {
		try (HikariDataSource pool = new Closed()) {
			pool.setJdbcUrl("jdbc:postgresql://localhost:1/shop");
			assertThat(select(pool)).isEqualTo(new ApplicationDataSource(pool, true));
			DataSource proxy = new DelegatingDataSource(pool);
			assertThat(select(proxy)).isEqualTo(new ApplicationDataSource(proxy, true));
		}
	}

	private static ApplicationDataSource select(DataSource dataSource) {
		StaticListableBeanFactory beans = new StaticListableBeanFactory();
		StaticListableBeanFactory none = new StaticListableBeanFactory();
		beans.addBean("dataSource", dataSource);
		return DataSourceSelection.select(none.getBeanProvider(DataSource.class),
				beans.getBeanProvider(DataSource.class), false);
	}

	private static final class Closed extends HikariDataSource {

		@Override
		public Connection getConnection() {
			throw new AssertionError("it was asked for a connection");
		}

	}

}

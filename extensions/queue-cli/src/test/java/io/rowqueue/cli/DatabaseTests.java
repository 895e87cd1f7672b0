package io.rowqueue.cli;

import java.util.Objects;
import java.util.Properties;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

class DatabaseTests {

	@Test
	void anAddressOfTheDriverIsUsedAsItIs() {
		DriverManagerDataSource database = database("-u", "jdbc:postgresql://localhost:5432/shop?sslmode=require");
		assertThat(database.getUrl()).isEqualTo("jdbc:postgresql://localhost:5432/shop?sslmode=require");
	}

	/** Its user and password must not be in the address, which errors quote. */
	@Test
	void anAddressOfPsqlHasAUserAndAPassword() {
		for (String scheme : new String[] { "postgres", "postgresql" }) {
			DriverManagerDataSource database = database("-u",
					scheme + "://ann:a%40b:c@one,two:5433/shop?sslmode=require");
			assertThat(database.getUrl()).isEqualTo("jdbc:postgresql://one,two:5433/shop?sslmode=require");
			assertThat(properties(database)).containsEntry("user", "ann").containsEntry("password", "a@b:c");
		}
	}

	@Test
	void anAddressOfPsqlNeedsNoUser() {
		DriverManagerDataSource database = database("-u", "postgres://localhost/shop", "-U", "bob");
		assertThat(database.getUrl()).isEqualTo("jdbc:postgresql://localhost/shop");
		assertThat(properties(database)).containsEntry("user", "bob").doesNotContainKey("password");
	}

	@Test
	void anAddressOfPsqlTakesPrecedenceOverOptions() {
		assertThat(properties(database("-u", "postgres://ann@localhost/shop", "-U", "bob"))).containsEntry("user",
				"ann");
	}

	private static DriverManagerDataSource database(String... arguments) {
		return CommandLine.populateCommand(new Database(), arguments).dataSource();
	}

	private static Properties properties(DriverManagerDataSource database) {
		return Objects.requireNonNull(database.getConnectionProperties());
	}

}

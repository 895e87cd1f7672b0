package io.rowqueue.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Properties;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

	@ParameterizedTest
	@ValueSource(strings = { "jdbc:postgres://u:topsecret@localhost/shop", "u:topsecret@localhost/shop",
			"postgresql://u:top/topsecret@localhost/shop", "postgresql://u:1/topsecret@localhost/shop",
			"jdbc:postgresql://localhost:port/shop?password=topsecret", "jdbc:postgresql://u:topsecret@localhost/shop",
			"jdbc:mysql://localhost/shop?password=topsecret" })
	void anAddressThatCannotBeReadIsRefusedAndNotQuoted(String address) {
		StringWriter said = new StringWriter();
		PrintStream before = System.err;
		ByteArrayOutputStream logged = new ByteArrayOutputStream();
		try {
			System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
			assertThat(Rowqueue.run(new PrintWriter(said, true), new PrintWriter(said, true), "doctor", "-u", address))
				.isEqualTo(2);
		}
		finally {
			System.setErr(before);
		}
		assertThat(said.toString()).contains("--url", "cannot be read").doesNotContain("topsecret", "Exception");
		assertThat(logged.toString(StandardCharsets.UTF_8)).doesNotContain("topsecret");
	}

	private static DriverManagerDataSource database(String... arguments) {
		return CommandLine.populateCommand(new Database(), arguments).dataSource();
	}

	private static Properties properties(DriverManagerDataSource database) {
		return Objects.requireNonNull(database.getConnectionProperties());
	}

}

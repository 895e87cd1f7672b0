package io.rowqueue.cli;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.util.StringUtils;
import picocli.CommandLine.Option;

/** Connects to an address: the options of who connects, and of the schema. */
final class Connector {

	/**
	 * As in the sessions of applications: statistics of a queue's tables are always
	 * outdated, and statements that are bounded by indexes must not read whole tables.
	 */
	static final String PLANNER = "set enable_seqscan = off; set jit = off";

	/** The form of psql, whose user and password the driver does not understand. */
	private static final Pattern URI = Pattern.compile("postgres(?:ql)?://(?:([^/?@:]*)(?::([^/?@]*))?@)?(.*)");

	static final String JDBC = "jdbc:postgresql:";

	/** Kept, since a logger that nobody has loses its level. */
	private static final Logger DRIVER = Logger.getLogger("org.postgresql");

	static {
		DRIVER.setLevel(Level.OFF); // it quotes addresses that it cannot read
	}

	@Option(names = { "-U", "--user" }, defaultValue = "${env:PGUSER}", description = "The role (or set PGUSER).")
	private @Nullable String user;

	@Option(names = { "-W", "--password" }, defaultValue = "${env:PGPASSWORD}", interactive = true, arity = "0..1",
			description = "Asks for the password (or set PGPASSWORD, or use ~/.pgpass).")
	private char @Nullable [] password;

	@Option(names = { "-s", "--schema" }, defaultValue = "rowqueue",
			description = "The schema of the queue; ${DEFAULT-VALUE} by default.")
	private String schema = "rowqueue";

	SchemaName schema() {
		return new SchemaName(this.schema);
	}

	/** Passes who connects on to a process that is started. */
	void addTo(Map<String, String> environment) {
		if (this.user != null) {
			environment.put("PGUSER", this.user);
		}
		if (this.password != null) {
			environment.put("PGPASSWORD", new String(this.password));
		}
	}

	/** Returns a pool of connections. */
	HikariDataSource pool(String url) {
		HikariDataSource pool = new HikariDataSource();
		pool.setDataSource(dataSource(url));
		pool.setConnectionInitSql(PLANNER);
		return pool;
	}

	/** Returns new connections at each use. */
	DriverManagerDataSource dataSource(String url) {
		Matcher uri = URI.matcher(url);
		DriverManagerDataSource dataSource = new DriverManagerDataSource(
				checked(uri.matches() ? JDBC + "//" + uri.group(3) : url));
		Properties properties = new Properties();
		properties.setProperty("ApplicationName", "rowqueue-cli");
		if (this.user != null && !this.user.isBlank()) {
			properties.setProperty("user", this.user);
		}
		if (this.password != null) {
			properties.setProperty("password", new String(this.password));
		}
		if (uri.matches()) { // takes precedence, as with psql
			set(properties, "user", uri.group(1));
			set(properties, "password", uri.group(2));
		}
		dataSource.setConnectionProperties(properties);
		return dataSource;
	}

	/** An address that nobody can read may have a password anywhere: it is not quoted. */
	private static String checked(String address) {
		String place = address.split("\\?", 2)[0];
		if (!address.startsWith(JDBC) || place.indexOf('@') >= 0 || Driver.parseURL(address, null) == null) {
			throw new IllegalArgumentException("The address of --url (or ROWQUEUE_URL) cannot be read. It is"
					+ " jdbc:postgresql://host:5432/database, or postgresql://user:password@host:5432/database, in which"
					+ " special characters of a user or password are percent-encoded.");
		}
		return address;
	}

	private static void set(Properties properties, String name, @Nullable String encoded) {
		if (encoded != null && !encoded.isEmpty()) {
			properties.setProperty(name, StringUtils.uriDecode(encoded, StandardCharsets.UTF_8));
		}
	}

}

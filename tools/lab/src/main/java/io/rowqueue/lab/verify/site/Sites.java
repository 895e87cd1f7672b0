package io.rowqueue.lab.verify.site;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.PrivatePostgres;
import org.jspecify.annotations.Nullable;

/**
 * Where rounds take place: the user's database, or servers of their own from the
 * binaries.
 */
public final class Sites implements AutoCloseable {

	/** Enough WAL for a standby that begins, and the defaults for everything else. */
	private static final Map<String, String> SETTINGS = Map.of("max_connections", "100", "wal_keep_size", "512MB");

	private final Path home;

	private final @Nullable Database given;

	private @Nullable Site common;

	/**
	 * Creates the sites.
	 * @param home where servers have their files
	 * @param given the user's database, or {@code null} for a server from the binaries
	 */
	public Sites(Path home, @Nullable Database given) {
		this.home = home;
		this.given = given;
	}

	/** Returns whether the database was given by a URL. */
	public boolean isGiven() {
		return this.given != null;
	}

	/**
	 * Why a fault cannot be done that is for a server of verify's own.
	 * @param reason what speaks against the user's
	 */
	public Optional<String> refuseGiven(String reason) {
		return isGiven() ? Optional.of("the server was given by its URL; " + reason) : Optional.empty();
	}

	/** The database of most rounds. */
	public Site common() {
		if (this.common == null) {
			this.common = (this.given != null) ? new Site(this.given, null) : own("server", Map.of());
		}
		return this.common;
	}

	/** Returns a database on a separate server. */
	public Site own(String name, Map<String, String> settings) {
		PrivatePostgres server = create(name, settings);
		return new Site(server.database(), server);
	}

	/** A server of the round's own. */
	public PrivatePostgres create(String name, Map<String, String> settings) {
		Map<String, String> all = new HashMap<>(SETTINGS);
		all.putAll(settings);
		return PrivatePostgres.create(this.home.resolve(name), all);
	}

	/** A server of the round's own whose processes have these environment variables. */
	public PrivatePostgres createIn(String name, Map<String, String> environment) {
		return PrivatePostgres.create(this.home.resolve(name), SETTINGS, environment);
	}

	/** Where a further server has its files. */
	public Path home(String name) {
		return this.home.resolve(name);
	}

	/** Describes the server, for the report. */
	public String description() throws SQLException {
		try (Connection connection = common().connect();
				Statement statement = connection.createStatement();
				ResultSet version = statement.executeQuery("show server_version")) {
			version.next();
			return "PostgreSQL " + version.getString(1) + (isGiven() ? ", given by its URL" : ", from the binaries");
		}
	}

	/** Stops the server, if there is one; the next round would get a new one. */
	@Override
	public void close() {
		if (this.common != null) {
			this.common.server().ifPresent(PrivatePostgres::close);
			this.common = null;
		}
	}

}

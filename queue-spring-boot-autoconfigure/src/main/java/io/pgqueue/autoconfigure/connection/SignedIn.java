package io.pgqueue.autoconfigure.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.util.Credentials;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Asks who it is for each connection. */
final class SignedIn extends DelegatingDataSource {

	private final Supplier<@Nullable Credentials> credentials;

	SignedIn(DataSource target, Supplier<@Nullable Credentials> credentials) {
		super(target);
		this.credentials = credentials;
	}

	@Override
	public Connection getConnection() throws SQLException {
		Credentials known = this.credentials.get();
		return (known == null || known.getUsername() == null) ? super.getConnection()
				: super.getConnection(known.getUsername(), known.getPassword());
	}

}

package io.rowqueue.autoconfigure.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.util.Credentials;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Reads the credentials each time it opens a connection. */
final class CredentialsDataSource extends DelegatingDataSource {

	private final Supplier<@Nullable Credentials> credentials;

	CredentialsDataSource(DataSource target, Supplier<@Nullable Credentials> credentials) {
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

package io.rowqueue.postgres;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Properties;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;

import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * A driver for tests that keeps sessions for the next user of the same address: to
 * connect costs the server more than most tests do. Its users see new sessions: one that
 * has ended is replaced, and nothing is left of what its last user has set, prepared,
 * locked or listened to.
 */
public final class KeptSessions implements Driver {

	/**
	 * All that {@code DISCARD ALL} does except that the plans of functions stay, which
	 * belong to the session as they do in an application.
	 */
	private static final String AS_NEW = """
			close all; set session authorization default; reset all; deallocate all; unlisten *;
			select pg_advisory_unlock_all(); discard temp; discard sequences""";

	/** More than applications of one test use at once. */
	private static final int MAX_IDLE = 30;

	/** Those that were used last come first. */
	private static final Deque<Session> IDLE = new ArrayDeque<>();

	static {
		try {
			DriverManager.registerDriver(new KeptSessions()); // behind its target
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private final Driver driver = new org.postgresql.Driver();

	/**
	 * Returns how many idle sessions are kept.
	 * @param database the database whose sessions are counted
	 * @return the number of sessions
	 */
	public static long idle(Database database) {
		synchronized (IDLE) {
			return IDLE.stream().filter((session) -> session.address.url.equals(database.url())).count();
		}
	}

	@Override
	public @Nullable Connection connect(String url, Properties info) throws SQLException {
		if (!acceptsURL(url)) {
			return null;
		}
		Address address = new Address(url, (Properties) info.clone(), TimeZone.getDefault().getID());
		for (Session kept = take(address); kept != null; kept = take(address)) {
			if (kept.connection.isValid(10)) {
				return lend(kept);
			}
			kept.connection.close();
		}
		Connection opened = this.driver.connect(url, info);
		return (opened != null) ? lend(new Session(address, opened, opened.getNetworkTimeout())) : null;
	}

	private static @Nullable Session take(Address address) {
		synchronized (IDLE) {
			for (Iterator<Session> kept = IDLE.iterator(); kept.hasNext();) {
				Session session = kept.next();
				if (session.address.equals(address)) {
					kept.remove();
					return session;
				}
			}
			return null;
		}
	}

	private static Connection lend(Session session) {
		AtomicBoolean closed = new AtomicBoolean();
		return (Connection) Proxy.newProxyInstance(KeptSessions.class.getClassLoader(),
				new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("close")) {
						if (closed.compareAndSet(false, true)) {
							takeBack(session);
						}
						return null;
					}
					if (!closed.get()) {
						return call(session.connection, method, arguments);
					}
					return switch (method.getName()) {
						case "isClosed" -> true;
						case "isValid" -> false;
						case "abort" -> null;
						case "hashCode" -> System.identityHashCode(proxy);
						case "equals" -> proxy == arguments[0];
						case "toString" -> "closed " + session.connection;
						default -> throw new SQLException("The connection is closed", "08003");
					};
				});
	}

	private static @Nullable Object call(Connection connection, Method method, Object @Nullable [] arguments)
			throws Throwable {
		try {
			return method.invoke(connection, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	private static void takeBack(Session session) throws SQLException {
		if (session.connection.isClosed() || !session.isAsNew()) {
			session.connection.close();
			return;
		}
		Session last = null;
		synchronized (IDLE) {
			IDLE.addFirst(session);
			if (IDLE.size() > MAX_IDLE) {
				last = IDLE.removeLast();
			}
		}
		if (last != null) {
			last.connection.close();
		}
	}

	@Override
	public boolean acceptsURL(String url) throws SQLException {
		return this.driver.acceptsURL(url);
	}

	@Override
	public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) throws SQLException {
		return this.driver.getPropertyInfo(url, info);
	}

	@Override
	public int getMajorVersion() {
		return this.driver.getMajorVersion();
	}

	@Override
	public int getMinorVersion() {
		return this.driver.getMinorVersion();
	}

	@Override
	public boolean jdbcCompliant() {
		return this.driver.jdbcCompliant();
	}

	@Override
	public Logger getParentLogger() throws SQLFeatureNotSupportedException {
		return this.driver.getParentLogger();
	}

	/** The driver gives each new session the time zone of the JVM. */
	private record Address(String url, Properties properties, String timeZone) {
	}

	private record Session(Address address, Connection connection, int networkTimeout) {

		boolean isAsNew() {
			try {
				if (!this.connection.getAutoCommit()) {
					this.connection.rollback();
					this.connection.setAutoCommit(true);
				}
				this.connection.setReadOnly(false);
				this.connection.setNetworkTimeout(Runnable::run, this.networkTimeout);
				try (Statement statement = this.connection.createStatement()) {
					statement.execute(AS_NEW);
				}
				this.connection.unwrap(PGConnection.class).getNotifications();
				this.connection.clearWarnings();
				return true;
			}
			catch (SQLException ex) {
				return false; // the session has ended
			}
		}

	}

}

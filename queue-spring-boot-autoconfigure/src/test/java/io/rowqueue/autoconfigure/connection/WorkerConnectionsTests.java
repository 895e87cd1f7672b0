package io.rowqueue.autoconfigure.connection;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.Socket;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.net.SocketFactory;
import javax.sql.DataSource;

import com.zaxxer.hikari.HikariCredentialsProvider;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import io.rowqueue.autoconfigure.ConnectionProperties;
import io.rowqueue.autoconfigure.QueueProperties.Notifications;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.engine.database.BoundedSocketFactory;
import io.rowqueue.engine.database.NotificationFloodException;
import io.rowqueue.engine.worker.WorkerSession;
import io.rowqueue.migration.QueueSchema;
import io.rowqueue.schema.SchemaName;
import org.apache.commons.dbcp2.BasicDataSource;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The worker's own pool leads where the application's leads, and leaves that one alone.
 */
class WorkerConnectionsTests {

	@RegisterExtension
	private static final TestDatabase DATABASE = new TestDatabase();

	private static final PGSimpleDataSource ADDRESS = DATABASE.dataSource();

	private static final ConnectionProperties DEFAULTS = new ConnectionProperties(11, Duration.ofSeconds(5),
			Duration.ofSeconds(20), Duration.ofSeconds(5), Duration.ofSeconds(25));

	@Test
	void thePoolLeadsToTheSameDatabaseAsTheSameUser() {
		try (HikariDataSource application = hikari(); WorkerConnections worker = worker(application)) {
			assertThat(show(worker, "select current_database()")).isEqualTo(DATABASE.name());
			assertThat(show(worker, "select current_user")).isEqualTo(ADDRESS.getUser());
		}
	}

	@Test
	void thePoolChangesNothingForTheApplication() {
		try (HikariDataSource application = hikari()) {
			application.addDataSourceProperty("loggerLevel", "OFF");
			application.setConnectionInitSql("set work_mem = '5MB'");
			Properties before = new Properties();
			before.putAll(application.getDataSourceProperties());
			try (WorkerConnections worker = worker(application)) {
				assertThat(show(worker, "show enable_seqscan")).isEqualTo("off");
				assertThat(show(application, "show enable_seqscan")).isEqualTo("on");
				assertThat(show(application, "show statement_timeout")).isEqualTo("0");
				assertThat(show(application, "show application_name")).isNotEqualTo("rowqueue");
				assertThat(application.getDataSourceProperties()).isEqualTo(before);
				assertThat(application.getConnectionInitSql()).isEqualTo("set work_mem = '5MB'");
				assertThat(application.getMaximumPoolSize()).isEqualTo(2);
			}
			assertThat(application.isClosed()).isFalse();
			assertThat(show(application, "select 'open'")).isEqualTo("open");
		}
	}

	@Test
	void neverWaitsForAConnectionOfTheApplication() throws SQLException {
		try (HikariDataSource application = hikari(); WorkerConnections worker = worker(application)) {
			application.setMaximumPoolSize(1);
			try (Connection taken = application.getConnection()) {
				assertThat(taken.isClosed()).isFalse();
				assertThat(show(worker, "show statement_timeout")).isEqualTo("20s");
				assertThat(show(worker, "show lock_timeout")).isEqualTo("5s");
			}
		}
	}

	@Test
	void thePoolHasTheSizeAndTheTimeoutsOfTheProperties() throws SQLException {
		ConnectionProperties properties = new ConnectionProperties(6, Duration.ofSeconds(1), Duration.ofSeconds(8),
				Duration.ofSeconds(7), Duration.ofSeconds(9));
		try (HikariDataSource application = hikari(); WorkerConnections worker = worker(application, properties)) {
			HikariDataSource pool = worker.dataSource().unwrap(HikariDataSource.class);
			assertThat(pool.getMaximumPoolSize()).isEqualTo(6);
			assertThat(pool.getConnectionTimeout()).isEqualTo(1000);
			assertThat(show(worker, "show statement_timeout")).isEqualTo("8s");
			assertThat(show(worker, "show lock_timeout")).isEqualTo("7s");
			try (Connection connection = worker.dataSource().getConnection()) {
				assertThat(connection.getNetworkTimeout()).isEqualTo(9000);
			}
		}
	}

	@Test
	void customizersDecideLastButNotAboutWhatWorkersRelyOn() throws SQLException {
		try (HikariDataSource application = hikari(); WorkerConnections worker = worker(application, (pool) -> {
			pool.setMaximumPoolSize(7);
			pool.setAutoCommit(false);
			pool.setInitializationFailTimeout(1);
			pool.setLeakDetectionThreshold(2000);
		}, (pool) -> pool.setPoolName("of " + pool.getMaximumPoolSize()))) {
			HikariDataSource pool = worker.dataSource().unwrap(HikariDataSource.class);
			assertThat(pool.getPoolName()).isEqualTo("of 7");
			assertThat(pool.isAutoCommit()).isTrue();
			assertThat(pool.getInitializationFailTimeout()).isNegative();
			assertThat(pool.getLeakDetectionThreshold()).as("the connection that listens would be a leak").isZero();
		}
	}

	@Test
	void thePoolKeepsWhatTheApplicationsSessionsBeginWith() {
		for (String sql : new String[] { "set shop.tenant = 'blue'", "set shop.tenant = 'blue';",
				"set shop.tenant = 'blue' -- the tenant", "set work_mem = '5MB'; set shop.tenant = 'blue' ; " }) {
			try (HikariDataSource application = hikari()) {
				application.setConnectionInitSql(sql);
				try (WorkerConnections worker = worker(application)) {
					assertThat(show(worker, "show shop.tenant")).isEqualTo("blue");
					assertThat(show(worker, "show enable_seqscan")).isEqualTo("off");
				}
			}
		}
	}

	@Test
	void thePoolKeepsTheDriversSettings() {
		try (HikariDataSource application = hikari()) {
			application.addDataSourceProperty("ApplicationName", "shop");
			try (WorkerConnections worker = worker(application)) {
				assertThat(show(worker, "show application_name")).isEqualTo("shop");
			}
		}
	}

	/**
	 * A role that may create functions in one of them has nothing to do with the queue.
	 */
	@Test
	void thePoolDoesNotLookIntoTheSchemasOfTheApplication() {
		try (HikariDataSource application = hikari()) {
			application.setSchema("public");
			application.setConnectionInitSql("set search_path to public");
			try (WorkerConnections worker = worker(application)) {
				assertThat(show(worker, "show search_path")).isEqualTo("pg_catalog, pg_temp");
				assertThat(show(application, "show search_path")).isEqualTo("public");
			}
		}
	}

	@Test
	void thePoolLeadsToADatabaseThatIsGivenAsADataSourceClass() {
		try (HikariDataSource application = new HikariDataSource()) {
			application.setDataSourceClassName(PGSimpleDataSource.class.getName());
			application.addDataSourceProperty("url", DATABASE.url());
			application.setUsername(ADDRESS.getUser());
			application.setPassword(ADDRESS.getPassword());
			try (WorkerConnections worker = worker(application)) {
				assertThat(show(worker, "select current_database()")).isEqualTo(DATABASE.name());
				assertThat(show(worker, "show application_name")).isEqualTo("rowqueue");
				assertThat(show(worker, "show enable_seqscan")).isEqualTo("off");
			}
		}
	}

	@Test
	void thePoolGivesADataSourceClassOfAnotherVendorNoPropertiesThatItLacks() {
		try (HikariDataSource application = new HikariDataSource()) {
			application.setDataSourceClassName(Plain.class.getName());
			application.addDataSourceProperty("url", DATABASE.url());
			application.setUsername(ADDRESS.getUser());
			application.setPassword(ADDRESS.getPassword());
			try (WorkerConnections worker = worker(application)) {
				assertThat(show(worker, "select current_database()")).isEqualTo(DATABASE.name());
			}
		}
	}

	@Test
	void thePoolLeadsToADatabaseThatIsGivenAsADataSource() {
		try (HikariDataSource application = new HikariDataSource()) {
			application.setDataSource(ADDRESS);
			try (WorkerConnections worker = worker(application)) {
				assertThat(show(worker, "select current_database()")).isEqualTo(DATABASE.name());
				assertThat(show(worker, "show enable_seqscan")).isEqualTo("off");
			}
		}
	}

	@Test
	void theCredentialsAreReadForEachConnection() throws SQLException {
		try (TokenDataSource application = new TokenDataSource()) {
			application.setJdbcUrl(DATABASE.url());
			try (WorkerConnections worker = worker(application);
					Connection first = worker.dataSource().getConnection();
					Connection second = worker.dataSource().getConnection()) {
				assertThat(first.isValid(1) && second.isValid(1)).isTrue();
				assertThat(application.tokens).hasValueGreaterThanOrEqualTo(2);
			}
		}
	}

	@Test
	void theApplicationsProviderOfCredentialsIsUsed() {
		try (HikariDataSource application = new HikariDataSource()) {
			application.setJdbcUrl(DATABASE.url());
			application.setCredentialsProviderClassName(Provider.class.getName());
			try (WorkerConnections worker = worker(application)) {
				assertThat(show(worker, "select current_user")).isEqualTo(ADDRESS.getUser());
			}
		}
	}

	@Test
	void aDataSourceWithoutAPoolIsPooled() {
		for (DataSource application : new DataSource[] { ADDRESS,
				new DriverManagerDataSource(DATABASE.url(), ADDRESS.getUser(), ADDRESS.getPassword()) }) {
			try (WorkerConnections worker = worker(application)) {
				assertThat(show(worker, "select pg_backend_pid()")).isEqualTo(show(worker, "select pg_backend_pid()"));
				assertThat(show(worker, "show enable_seqscan")).isEqualTo("off");
			}
		}
	}

	/** Each has one connection, which the worker borrows. */
	static Stream<Named<Supplier<DataSource>>> otherPools() {
		return Stream.of(Named.of("Tomcat", WorkerConnectionsTests::tomcat),
				Named.of("DBCP", WorkerConnectionsTests::dbcp), Named.of("unknown", WorkerConnectionsTests::unknown));
	}

	@ParameterizedTest
	@MethodSource("otherPools")
	void thePoolBorrowsFromAnotherPoolAndGivesConnectionsBackAsTheyWere(Supplier<DataSource> pool) throws Exception {
		DataSource application = pool.get();
		try {
			String session = show(application, "select pg_backend_pid()");
			show(application, "select set_config('statement_timeout', '7s', false)");
			try (WorkerConnections worker = worker(application)) {
				assertThat(show(worker, "select pg_backend_pid()")).isEqualTo(session);
				assertThat(show(worker, "show enable_seqscan")).isEqualTo("off");
				assertThat(show(worker, "show statement_timeout")).isEqualTo("20s");
				assertThat(show(worker, "show lock_timeout")).isEqualTo("5s");
				try (Connection connection = worker.dataSource().getConnection()) {
					assertThat(connection.getNetworkTimeout()).isEqualTo(25_000);
					assertThat(connection.getAutoCommit()).isTrue();
				}
			}
			assertThat(show(application, "select pg_backend_pid()")).isEqualTo(session);
			assertThat(show(application, "show enable_seqscan")).isEqualTo("on");
			assertThat(show(application, "show statement_timeout")).isEqualTo("7s");
			assertThat(show(application, "show lock_timeout")).isEqualTo("0");
			assertThat(show(application, "show idle_in_transaction_session_timeout")).isEqualTo("0");
			try (Connection connection = application.getConnection()) {
				assertThat(connection.getNetworkTimeout()).isZero();
			}
		}
		finally {
			if (application instanceof AutoCloseable closeable) {
				closeable.close();
			}
		}
	}

	@Test
	void thePoolBoundsTheSilenceOfAConnection() throws SQLException {
		try (HikariDataSource application = hikari(); WorkerConnections worker = worker(application)) {
			try (Connection connection = worker.dataSource().getConnection()) {
				assertThat(connection.getNetworkTimeout()).isEqualTo(25_000);
			}
			try (Connection connection = application.getConnection()) {
				assertThat(connection.getNetworkTimeout()).isZero();
			}
		}
	}

	@Test
	void thePoolReadsWhatIsCommittedWhateverIsTheDefault() {
		try (HikariDataSource application = hikari()) {
			application.setConnectionInitSql("set default_transaction_isolation = 'serializable'");
			try (WorkerConnections worker = worker(application)) {
				assertThat(show(worker, "show transaction_isolation")).isEqualTo("read committed");
				assertThat(show(application, "show transaction_isolation")).isEqualTo("serializable");
			}
		}
	}

	/** Its sessions would go on to refuse what it is asked to write. */
	@Test
	void thePoolOpensConnectionsAnewWhenTheServerWasDemoted() {
		try (HikariDataSource application = hikari(); WorkerConnections worker = worker(application)) {
			worker.renew();
			String before = show(worker, "select pg_backend_pid()");
			assertThat(show(worker, "select pg_backend_pid()")).isEqualTo(before);
			worker.renew();
			assertThat(show(worker, "select pg_backend_pid()")).isNotEqualTo(before);
		}
	}

	@Test
	void theProxiesAreRegisteredForNativeImages() {
		RuntimeHints hints = new RuntimeHints();
		SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
			.load(RuntimeHintsRegistrar.class)
			.forEach((registrar) -> registrar.registerHints(hints, getClass().getClassLoader()));
		for (Class<?> type : new Class<?>[] { Connection.class, PreparedStatement.class, Statement.class }) {
			assertThat(RuntimeHintsPredicates.proxies().forInterfaces(type)).accepts(hints);
		}
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(BoundedSocketFactory.class)
			.withMemberCategory(MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS)).accepts(hints);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void theSessionReadsNoMoreNotificationsThanFitIntoMemory(boolean dataSourceClass) throws SQLException {
		new QueueSchema(ADDRESS).initialize();
		try (HikariDataSource application = dataSourceClass ? new HikariDataSource() : hikari()) {
			if (dataSourceClass) {
				application.setDataSourceClassName(PGSimpleDataSource.class.getName());
				application.addDataSourceProperty("url", DATABASE.url());
				application.setUsername(ADDRESS.getUser());
				application.setPassword(ADDRESS.getPassword());
			}
			try (WorkerConnections worker = worker(application)) {
				assertFloodIsNotRead(worker.dataSource());
			}
			assertFloodIsNotRead(
					new QueueAddress(application, DEFAULTS).direct(DATABASE.url(), new PropertiesQueueConnectionDetails(
							new Notifications(true, null, ADDRESS.getUser(), ADDRESS.getPassword()))));
		}
	}

	private static void assertFloodIsNotRead(DataSource worker) throws SQLException {
		WorkerSession session = WorkerSession.open(worker, SchemaName.DEFAULT, 1);
		try {
			new JdbcTemplate(ADDRESS)
				.query("select count(pg_notify(rowqueue.wake_up_channel(), i || repeat('x', 7900)))"
						+ " from generate_series(1, 3000) i", (row) -> {
						});
			assertThatExceptionOfType(NotificationFloodException.class).isThrownBy(() -> {
				while (true) {
					session.await(Duration.ofSeconds(1));
				}
			});
		}
		finally {
			session.abort();
		}
		try (WorkerSession another = WorkerSession.open(worker, SchemaName.DEFAULT, 1)) {
			another.check();
		}
	}

	/** Such as one of a server that restarts while the application starts. */
	@Test
	void thePoolOpensConnectionsAlthoughItsFirstOneBreaksAtItsFirstStatements() {
		AtomicInteger opened = new AtomicInteger();
		try (HikariDataSource application = hikari()) {
			application.setDataSource(new DelegatingDataSource(ADDRESS) {

				@Override
				public Connection getConnection(String username, String password) throws SQLException {
					Connection connection = super.getConnection(username, password);
					return (opened.incrementAndGet() > 1) ? connection : broken(connection);
				}

			});
			try (WorkerConnections worker = worker(application)) {
				assertThat(show(worker, "select 'open'")).isEqualTo("open");
				assertThat(opened).hasValueGreaterThan(1);
			}
		}
	}

	private static Connection broken(Connection connection) {
		return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(),
				new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("getTransactionIsolation")) {
						connection.abort(Runnable::run);
					}
					try {
						return method.invoke(connection, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				});
	}

	/** Such as one that signs in to a database of a cloud. */
	@Test
	void thePoolKeepsASocketFactoryOfTheApplication() throws SQLException {
		try (HikariDataSource application = hikari()) {
			application.setJdbcUrl(DATABASE.url() + (DATABASE.url().contains("?") ? "&" : "?") + "socketFactory="
					+ OwnSocketFactory.class.getName());
			int before = OwnSocketFactory.SOCKETS.get();
			try (WorkerConnections worker = worker(application)) {
				assertThat(show(worker, "select current_database()")).isEqualTo(DATABASE.name());
				assertThat(OwnSocketFactory.SOCKETS.get()).isGreaterThan(before);
			}
		}
	}

	@Test
	void thePoolLooksBehindProxies() throws SQLException {
		try (HikariDataSource application = hikari()) {
			DataSource proxy = new LazyConnectionDataSourceProxy(
					new TransactionAwareDataSourceProxy(new DelegatingDataSource(application)));
			try (WorkerConnections worker = worker(proxy);
					Connection taken = application.getConnection();
					Connection other = worker.dataSource().getConnection()) {
				assertThat(taken.isValid(1) && other.isValid(1)).isTrue();
				assertThat(application.getHikariPoolMXBean().getActiveConnections()).isOne();
				assertThat(show(worker, "show enable_seqscan")).isEqualTo("off");
			}
		}
	}

	@Test
	void thePoolDoesNotLookBehindAProxyThatChangesConnections() {
		DATABASE.execute("create role clerk_of_" + DATABASE.name());
		try (HikariDataSource application = hikari();
				WorkerConnections worker = worker(new InRole(application, "clerk_of_" + DATABASE.name()))) {
			assertThat(show(worker, "select current_user")).isEqualTo("clerk_of_" + DATABASE.name());
		}
	}

	private static HikariDataSource hikari() {
		HikariDataSource dataSource = new HikariDataSource();
		dataSource.setJdbcUrl(DATABASE.url());
		dataSource.setUsername(ADDRESS.getUser());
		dataSource.setPassword(ADDRESS.getPassword());
		dataSource.setMaximumPoolSize(2);
		return dataSource;
	}

	private static DataSource tomcat() {
		org.apache.tomcat.jdbc.pool.DataSource pool = new org.apache.tomcat.jdbc.pool.DataSource();
		pool.setUrl(DATABASE.url());
		pool.setUsername(ADDRESS.getUser());
		pool.setPassword(ADDRESS.getPassword());
		pool.setInitialSize(1);
		pool.setMaxActive(1);
		return pool;
	}

	private static DataSource dbcp() {
		BasicDataSource pool = new BasicDataSource();
		pool.setUrl(DATABASE.url());
		pool.setUsername(ADDRESS.getUser());
		pool.setPassword(ADDRESS.getPassword());
		pool.setMaxTotal(1);
		return pool;
	}

	private static DataSource unknown() {
		return new Plain(dbcp());
	}

	private static WorkerConnections worker(DataSource application, QueueDataSourceCustomizer... customizers) {
		return worker(application, DEFAULTS, customizers);
	}

	private static WorkerConnections worker(DataSource application, ConnectionProperties properties,
			QueueDataSourceCustomizer... customizers) {
		return new WorkerConnections(application, properties, () -> null, List.of(customizers));
	}

	private static String show(WorkerConnections worker, String sql) {
		return show(worker.dataSource(), sql);
	}

	private static String show(DataSource dataSource, String sql) {
		return new JdbcTemplate(dataSource).queryForObject(sql, String.class);
	}

	/** Not a pool that anybody knows. */
	public static final class Plain extends AbstractDataSource {

		private final DataSource target;

		public Plain() {
			this(new PGSimpleDataSource());
		}

		Plain(DataSource target) {
			this.target = target;
		}

		public void setUrl(String url) {
			((PGSimpleDataSource) this.target).setUrl(url);
		}

		@Override
		public Connection getConnection() throws SQLException {
			return this.target.getConnection();
		}

		@Override
		public Connection getConnection(String username, String password) throws SQLException {
			return this.target.getConnection(username, password);
		}

	}

	/** Like the pools of those who sign in with tokens that expire. */
	private static final class TokenDataSource extends HikariDataSource {

		private final AtomicInteger tokens = new AtomicInteger();

		@Override
		public Credentials getCredentials() {
			this.tokens.incrementAndGet();
			return Credentials.of(ADDRESS.getUser(), ADDRESS.getPassword());
		}

	}

	/** As in spring.datasource.hikari.credentials-provider-class-name. */
	public static final class Provider implements HikariCredentialsProvider {

		@Override
		public Credentials getCredentials() {
			return Credentials.of(ADDRESS.getUser(), ADDRESS.getPassword());
		}

	}

	/** As in the URL of a data source. */
	public static final class OwnSocketFactory extends SocketFactory {

		static final AtomicInteger SOCKETS = new AtomicInteger();

		@Override
		public Socket createSocket() {
			SOCKETS.incrementAndGet();
			return new Socket();
		}

		@Override
		public Socket createSocket(String host, int port) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Socket createSocket(InetAddress host, int port) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
			throw new UnsupportedOperationException();
		}

	}

	private static final class InRole extends DelegatingDataSource {

		private final String role;

		InRole(DataSource target, String role) {
			super(target);
			this.role = role;
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = super.getConnection();
			try (Statement statement = connection.createStatement()) {
				statement.execute("set role " + this.role);
			}
			return connection;
		}

	}

}

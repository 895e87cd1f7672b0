package io.rowqueue.dashboard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import io.rowqueue.postgres.KeptSessions;
import io.rowqueue.migration.QueueSchema;
import io.rowqueue.schema.SchemaPart;
import org.awaitility.Awaitility;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An application with the dashboard that runs in this process. */
public final class Host implements AutoCloseable {

	static {
		Awaitility.setDefaultTimeout(Duration.ofMinutes(3)); // on the slowest machine
		System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host");
	}

	/** What a page of the dashboard sends with an action. */
	static final String[] FROM_PAGE = { "Content-Type", "application/json", "Queue-Dashboard", "1", "Sec-Fetch-Site",
			"same-origin" };

	private static final String SECURITY = Stream
		.of("SecurityAutoConfiguration", "UserDetailsServiceAutoConfiguration",
				"ReactiveUserDetailsServiceAutoConfiguration", "web.reactive.ReactiveWebSecurityAutoConfiguration",
				"web.servlet.SecurityFilterAutoConfiguration", "web.servlet.ServletWebSecurityAutoConfiguration",
				"actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration",
				"actuate.web.servlet.ManagementWebSecurityAutoConfiguration")
		.map("org.springframework.boot.security.autoconfigure."::concat)
		.reduce((one, other) -> one + "," + other)
		.orElseThrow();

	private static final HttpClient CLIENT = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.followRedirects(HttpClient.Redirect.NEVER)
		.build();

	private final ConfigurableApplicationContext context;

	private final Database database;

	private Host(ConfigurableApplicationContext context, Database database) {
		this.context = context;
		this.database = database;
	}

	/** Starts an application without Spring Security and without a worker. */
	public static Host start(Kind kind, Class<?>[] configurations, String... properties) {
		return start(kind, configurations,
				Stream.concat(Stream.of("spring.autoconfigure.exclude=" + SECURITY), Arrays.stream(properties))
					.toArray(String[]::new),
				createDatabase());
	}

	/** Starts another application without Spring Security on the database of one. */
	static Host beside(Host other, Class<?>[] configurations, String... properties) {
		return start(Kind.SERVLET, configurations,
				Stream.concat(Stream.of("spring.autoconfigure.exclude=" + SECURITY), Arrays.stream(properties))
					.toArray(String[]::new),
				other.database);
	}

	/** Starts an application with Spring Security. */
	static Host secured(Kind kind, Class<?>[] configurations, String... properties) {
		return start(kind, configurations, properties, createDatabase());
	}

	static Database createDatabase() {
		return DevPostgres.shared()
			.createDatabase("dashboard", SchemaPart.class, (dataSource) -> new QueueSchema(dataSource).initialize());
	}

	private static Host start(Kind kind, Class<?>[] configurations, String[] properties, Database database) {
		List<String> all = new ArrayList<>(List.of("server.port=0", "server.address=127.0.0.1",
				"spring.datasource.hikari.maximum-pool-size=4", "spring.datasource.hikari.minimum-idle=0",
				"rowqueue.worker.enabled=false", "rowqueue.measurement.interval=1h", "rowqueue.figures.enabled=false",
				"spring.main.banner-mode=off", "spring.application.name=shop", "spring.jmx.enabled=false"));
		all.addAll(List.of(database.properties("spring.datasource")));
		all.addAll(List.of(properties));
		ConfigurableApplicationContext context = new SpringApplicationBuilder(
				Stream.concat(Stream.of(Application.class), Arrays.stream(configurations)).toArray(Class<?>[]::new))
			.web(kind.type)
			.properties(all.toArray(String[]::new))
			.run();
		return new Host(context, database);
	}

	public int port() {
		return Integer.parseInt(this.context.getEnvironment().getProperty("local.server.port", ""));
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	/** A session of its own, with this name. */
	Connection connect(String name) throws SQLException {
		Connection connection = DriverManager.getConnection(this.database.url(), this.database.username(),
				this.database.password());
		connection.setClientInfo("ApplicationName", name);
		return connection;
	}

	JdbcClient jdbc() {
		return JdbcClient.create(new SimpleDriverDataSource(new KeptSessions(), this.database.url(),
				this.database.username(), this.database.password()));
	}

	/** Sends GET for a path, with headers in pairs. */
	HttpResponse<String> get(String path, String... headers) {
		return send("GET", path, null, headers);
	}

	/** Sends an action as a page of the dashboard does. */
	HttpResponse<String> post(String path, String body, String... headers) {
		return send("POST", path, body,
				Stream.concat(Arrays.stream(FROM_PAGE), Arrays.stream(headers)).toArray(String[]::new));
	}

	HttpResponse<String> send(String method, String path, String body, String... headers) {
		return send(port(), method, path, body, headers);
	}

	static HttpResponse<String> send(int port, String method, String path, String body, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
			.method(method,
					(body != null) ? HttpRequest.BodyPublishers.ofString(body) : HttpRequest.BodyPublishers.noBody());
		for (int i = 0; i < headers.length; i += 2) {
			request.header(headers[i], headers[i + 1]);
		}
		try {
			return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	static JsonNode json(HttpResponse<String> response) {
		return JsonMapper.shared().readTree(response.body());
	}

	static String header(HttpResponse<?> response, String name) {
		return response.headers().firstValue(name).orElse("");
	}

	/** What all tables of the queue hold, except what was measured. */
	Map<String, String> tables() {
		Map<String, String> tables = new TreeMap<>();
		JdbcClient jdbc = jdbc();
		jdbc.sql("select tablename from pg_tables where schemaname = 'rowqueue' and tablename <> 'measurement'")
			.query(String.class)
			.list()
			.forEach((table) -> tables.put(table, jdbc.sql(
					"select count(*) || ':' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') from rowqueue.%s t"
						.formatted(table))
				.query(String.class)
				.single()));
		return tables;
	}

	@Override
	public void close() {
		this.context.close();
	}

	/** Which web framework serves it. */
	public enum Kind {

		SERVLET(WebApplicationType.SERVLET), REACTIVE(WebApplicationType.REACTIVE);

		private final WebApplicationType type;

		Kind(WebApplicationType type) {
			this.type = type;
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		/**
		 * Applications of one process share Netty's threads otherwise, and the first to
		 * stop ends them.
		 */
		@Bean
		ReactorResourceFactory reactorResourceFactory() {
			ReactorResourceFactory resources = new ReactorResourceFactory();
			resources.setUseGlobalResources(false);
			return resources;
		}

	}

}

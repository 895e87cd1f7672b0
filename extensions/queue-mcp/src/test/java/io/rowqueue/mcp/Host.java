package io.rowqueue.mcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema;
import io.rowqueue.JobQueue;
import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import io.rowqueue.migration.QueueSchema;
import io.rowqueue.schema.SchemaPart;
import io.rowqueue.shard.Shards;
import org.awaitility.Awaitility;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An application with the MCP server that runs in this process. */
final class Host implements AutoCloseable {

	/** What opens an application without roles. */
	static final String[] BEARER = { "Authorization", "Bearer 0123456789abcdef0123" };

	private static final Map<Kind, Host> SHARED = new EnumMap<>(Kind.class);

	private final ConfigurableApplicationContext context;

	private Host(ConfigurableApplicationContext context) {
		this.context = context;
	}

	/** The application of a kind for all tests that configure nothing. */
	static synchronized Host of(Kind kind) {
		return SHARED.computeIfAbsent(kind, Host::start);
	}

	/** Starts an application without a worker. */
	static Host start(Kind kind, String... properties) {
		Database database = createDatabase();
		List<String> all = new ArrayList<>(List.of("server.port=0", "server.address=127.0.0.1",
				"spring.datasource.hikari.maximum-pool-size=4", "spring.datasource.hikari.minimum-idle=0",
				"rowqueue.worker.enabled=false", "rowqueue.measurement.interval=1h", "rowqueue.figures.enabled=false",
				"spring.main.banner-mode=off", "spring.application.name=shop", "spring.jmx.enabled=false",
				"rowqueue.dashboard.token=0123456789abcdef0123"));
		all.addAll(List.of(database.properties("spring.datasource")));
		all.addAll(List.of(properties));
		return new Host(new SpringApplicationBuilder(kind.application).web(kind.type)
			.properties(all.toArray(String[]::new))
			.run());
	}

	static Database createDatabase() {
		return DevPostgres.shared()
			.createDatabase("mcp", SchemaPart.class, (dataSource) -> new QueueSchema(dataSource).initialize());
	}

	JobQueue jobs() {
		return this.context.getBean(JobQueue.class);
	}

	/** The queue of a shard, as soon as this process can use it. */
	JobQueue jobs(String shard) {
		Shards shards = this.context.getBean(Shards.class);
		Awaitility.await()
			.atMost(Duration.ofMinutes(2))
			.until(() -> shards.list().stream().anyMatch((each) -> each.name().equals(shard) && each.available()));
		return shards.queue(shard);
	}

	JdbcClient jdbc() {
		return this.context.getBean(JdbcClient.class);
	}

	/** Writes what a measurement of a queue with twelve queued jobs would write. */
	void measure() {
		JdbcClient jdbc = jdbc();
		Awaitility.await()
			.atMost(Duration.ofMinutes(2))
			.until(() -> jdbc.sql("select count(*) from rowqueue.measurement").query(Integer.class).single() == 1);
		jdbc.sql("""
				insert into rowqueue.measurement (measured_at, figures) values (clock_timestamp(), '[
					{"name": "jobs", "queue": "mail", "state": "queued", "value": 12},
					{"name": "jobs", "queue": "mail", "state": "failed", "value": 23456.7},
					{"name": "jobs", "queue": "mail", "state": "overdue", "value": 3},
					{"name": "oldest.age", "queue": "mail", "value": 7300, "text": "42"},
					{"name": "workers", "value": 1}]'::jsonb)
				on conflict (only_row) do update set measured_at = excluded.measured_at, figures = excluded.figures""")
			.update();
	}

	private String address() {
		return "http://localhost:" + this.context.getEnvironment().getProperty("local.server.port");
	}

	/** An assistant whose requests have these headers, in pairs. */
	McpSyncClient assistant(String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder();
		if (headers.length > 0) {
			request.headers(headers);
		}
		return McpClient
			.sync(HttpClientStreamableHttpTransport.builder(address())
				.endpoint("/rowqueue/mcp")
				.requestBuilder(request)
				.build())
			.build();
	}

	/** Sends a message as any client of HTTP does, with headers in pairs. */
	HttpResponse<String> post(String message, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address() + "/rowqueue/mcp"))
			.header("Accept", "application/json, text/event-stream")
			.POST(HttpRequest.BodyPublishers.ofString(message));
		for (int i = 0; i < headers.length; i += 2) {
			request.header(headers[i], headers[i + 1]);
		}
		try {
			return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Sends a message as a proxy on the same machine may, without a header of its own.
	 * @return the response as it was sent
	 */
	String proxied(String message) throws IOException {
		int port = Integer.parseInt(this.context.getEnvironment().getProperty("local.server.port", ""));
		try (Socket proxy = new Socket("127.0.0.1", port)) {
			proxy.getOutputStream()
				.write(("POST /rowqueue/mcp HTTP/1.0\r\nHost: localhost:8080\r\nConnection: close\r\n"
						+ "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
						+ "Content-Length: " + message.length() + "\r\n\r\n" + message)
					.getBytes(StandardCharsets.UTF_8));
			return new String(proxy.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	/** The header of a user whose password is "secret". */
	static String basic(String user) {
		return "Basic " + Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
	}

	/** Calls a tool. */
	static McpSchema.CallToolResult call(McpSyncClient assistant, String tool, Map<String, Object> arguments) {
		return assistant.callTool(McpSchema.CallToolRequest.builder(tool).arguments(arguments).build());
	}

	static String text(McpSchema.CallToolResult result) {
		return ((McpSchema.TextContent) result.content().get(0)).text();
	}

	static JsonNode json(McpSchema.CallToolResult result) {
		return JsonMapper.shared().readTree(text(result));
	}

	@Override
	public void close() {
		this.context.close();
	}

	/** Which web framework serves it. */
	enum Kind {

		SERVLET(WebApplicationType.SERVLET, Application.class),
		REACTIVE(WebApplicationType.REACTIVE, ReactiveApplication.class);

		private final WebApplicationType type;

		private final Class<?> application;

		Kind(WebApplicationType type, Class<?> application) {
			this.type = type;
			this.application = application;
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		SecurityFilterChain security(HttpSecurity http) throws Exception {
			return http.csrf((csrf) -> csrf.ignoringRequestMatchers("/rowqueue/mcp"))
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		InMemoryUserDetailsManager users() {
			return new InMemoryUserDetailsManager(user("oncall", "OPS"), user("support", "SUPPORT"),
					user("customer", "CUSTOMER"));
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class ReactiveApplication {

		@Bean
		SecurityWebFilterChain security(ServerHttpSecurity http) {
			return http.csrf(ServerHttpSecurity.CsrfSpec::disable)
				.httpBasic(Customizer.withDefaults())
				.authorizeExchange((exchange) -> exchange.anyExchange().permitAll())
				.build();
		}

		@Bean
		MapReactiveUserDetailsService users() {
			return new MapReactiveUserDetailsService(user("oncall", "OPS"), user("support", "SUPPORT"),
					user("customer", "CUSTOMER"));
		}

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

	private static UserDetails user(String name, String role) {
		return User.withUsername(name).password("{noop}secret").roles(role).build();
	}

}

package io.rowqueue.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.rowqueue.cli.dashboard.DashboardServer;
import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

class DashboardCommandTests {

	private static final Pattern LINK = Pattern.compile("http://127\\.0\\.0\\.1:\\d+/\\?token=(\\w+)");

	private final HttpClient http = HttpClient.newHttpClient();

	private final StringWriter out = new StringWriter();

	private final StringWriter err = new StringWriter();

	@Test
	void severalDatabasesAreServedAndThoseThatCannotBeUsedSayWhy() throws Exception {
		Database orders = TestQueue.create();
		JdbcTemplate jdbc = new JdbcTemplate(TestQueue.dataSource(orders));
		jdbc.queryForObject("select rowqueue.enqueue('mail')", Long.class);
		Database newer = TestQueue.create();
		new JdbcTemplate(TestQueue.dataSource(newer))
			.update("insert into rowqueue.schema_version (part, version) values ('core', 999)");
		Database empty = DevPostgres.shared().createDatabase("empty");
		String before = rows(jdbc);

		try (DashboardServer server = start("--port=0", "--url=orders=" + address(orders),
				"--url=newer=" + address(newer), "--url=empty=" + address(empty),
				"--url=gone=jdbc:postgresql://127.0.0.1:1/gone")) {
			Matcher link = LINK.matcher(this.out.toString());
			assertThat(link.find()).isTrue();
			String token = link.group(1);
			assertThat(this.out.toString()).doesNotContain("orders:")
				.contains("newer: ", "999", "empty: ", "rowqueue migrate", "gone: ", "127.0.0.1:1");

			String list = get(server, "/", token).body();
			assertThat(list).contains("<a href=\"orders/\">orders</a>", "999", "rowqueue migrate")
				.doesNotContain(orders.password());
			assertThat(get(server, "/orders/api/jobs?state=queued", token).body()).contains("\"type\":\"mail\"");
			assertThat(get(server, "/orders/api/session", token).body()).contains("\"allDatabases\":\"../\"");
			HttpResponse<String> closed = get(server, "/empty/jobs/42", token);
			assertThat(closed.statusCode()).isEqualTo(503);
			assertThat(closed.body()).contains("rowqueue migrate", "<base href=\"../../\">");
			assertThat(get(server, "/other/", token).statusCode()).isEqualTo(404);
			assertThat(rows(jdbc)).as("the server writes nothing").isEqualTo(before);

			assertThat(Rowqueue.run(new PrintWriter(this.out), new PrintWriter(this.err), "migrate",
					"--url=" + address(empty)))
				.isZero();
			assertThat(get(server, "/empty/", token).headers().firstValue("Location")).hasValue("./");
			assertThat(get(server, "/empty/", token).body()).contains("app.js");

			assertThat(pause(server, "orders", token).statusCode()).isEqualTo(200);
			assertThat(jdbc.queryForObject("select who || ' ' || via from rowqueue.operation", String.class))
				.isEqualTo("local dashboard");
			assertThat(count(orders, "pause")).isOne();
			assertThat(count(empty, "pause")).isZero();

			String port = "--port=" + server.port();
			assertThat(run("--url=" + address(empty), port)).isEqualTo(1);
			assertThat(this.err.toString()).contains("Port " + server.port() + " is in use");
		}
	}

	@Test
	void onlyTheTokenOpensItAndNothingElseShowsThatItIsThere() throws Exception {
		Database shop = TestQueue.create();
		String token = "only-for-those-who-have-it";
		try (DashboardServer server = start("--port=0", "--url=shop=" + address(shop), "--read-only",
				"--token=" + token)) {
			assertThat(this.out.toString()).contains("for those who have the token").doesNotContain(token);
			for (String path : List.of("/", "/shop/", "/shop/api/session", "/assets/0/app.js", "/?token=other")) {
				assertThat(get(server, path, "other").statusCode()).as(path).isEqualTo(404);
				assertThat(get(server, path, "other").body()).as(path).isEmpty();
			}
			assertThat(statusWithHost("elsewhere.example", server, token)).contains(" 404 ");
			assertThat(statusWithHost("localhost", server, token)).contains(" 303 ");

			HttpResponse<String> opened = get(server, "/?token=" + token, null);
			assertThat(opened.headers().firstValue("Location")).hasValue("./");
			assertThat(opened.headers().firstValue("Set-Cookie").orElse("")).contains("HttpOnly", "SameSite=Strict")
				.doesNotContain(token);
			assertThat(get(server, "/", token).headers().firstValue("Location")).as("the only one").hasValue("./shop/");
			assertThat(get(server, "/shop/api/session", token).body()).contains("\"levels\":[\"read\",\"payloads\"]",
					"\"allDatabases\":null");
			assertThat(pause(server, "shop", token).statusCode()).isEqualTo(403);
			assertThat(count(shop, "pause")).isZero();
		}
	}

	@Test
	void whatCannotBeServedIsRefusedBeforeAnythingStarts() {
		String url = "--url=jdbc:postgresql://localhost/shop";
		assertThat(run(url, url)).isEqualTo(2);
		assertThat(run("--url=assets=jdbc:postgresql://localhost/shop")).isEqualTo(2);
		assertThat(run("--url=jdbc:postgresql://localhost/my%20shop")).isEqualTo(2);
		assertThat(run(url, "--token=short")).isEqualTo(2);
		assertThat(run(url, "--address=192.0.2.1")).isEqualTo(2);
		assertThat(run(url, "--host=ops:8090")).isEqualTo(2);
		assertThat(this.err.toString()).contains("Two databases have the name 'shop'", "'assets' cannot be",
				"'my%20shop' cannot be", "openssl rand", "not 192.0.2.1", "not ops:8090");
	}

	/** Places and transactions of all rows of all tables. */
	private static String rows(JdbcTemplate jdbc) {
		List<String> tables = jdbc.queryForList(
				"select format('%I.%I', schemaname, tablename) from pg_tables where schemaname = 'rowqueue' order by 1",
				String.class);
		StringBuilder rows = new StringBuilder();
		tables.forEach((table) -> rows.append(table)
			.append(jdbc.queryForList("select ctid || ' ' || xmin from " + table, String.class)));
		assertThat(tables).contains("rowqueue.worker", "rowqueue.measurement");
		return rows.toString();
	}

	private static int count(Database database, String table) {
		Integer count = new JdbcTemplate(TestQueue.dataSource(database))
			.queryForObject("select count(*) from rowqueue." + table, Integer.class);
		return (count != null) ? count : 0;
	}

	private static String address(Database database) {
		return "postgresql://" + database.username() + ":" + database.password() + "@"
				+ database.url().substring("jdbc:postgresql://".length());
	}

	private DashboardServer start(String... options) throws InterruptedException {
		DashboardCommand command = new DashboardCommand();
		new CommandLine(command).setOut(new PrintWriter(this.out, true)).parseArgs(options);
		return command.start();
	}

	private int run(String... options) {
		String[] arguments = new String[options.length + 1];
		arguments[0] = "dashboard";
		System.arraycopy(options, 0, arguments, 1, options.length);
		return Rowqueue.run(new PrintWriter(this.out, true), new PrintWriter(this.err, true), arguments);
	}

	private HttpResponse<String> get(DashboardServer server, String path, @Nullable String token) throws Exception {
		return this.http.send(request(server, path, token).build(), HttpResponse.BodyHandlers.ofString());
	}

	private HttpResponse<String> pause(DashboardServer server, String database, String token) throws Exception {
		return this.http
			.send(request(server, "/" + database + "/api/queues/mail", token).header("Content-Type", "application/json")
				.header("Queue-Dashboard", "1")
				.POST(HttpRequest.BodyPublishers.ofString("{\"action\": \"pause\"}"))
				.build(), HttpResponse.BodyHandlers.ofString());
	}

	private static HttpRequest.Builder request(DashboardServer server, String path, @Nullable String token) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
		return (token != null) ? request.header("Authorization", "Bearer " + token) : request;
	}

	/** A client of the JDK does not send another name than that of the address. */
	private static String statusWithHost(String host, DashboardServer server, String token) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
			OutputStream out = socket.getOutputStream();
			out.write(("GET /?token=" + token + " HTTP/1.1\r\nHost: " + host + ":" + server.port()
					+ "\r\nConnection: close\r\n\r\n")
				.getBytes(StandardCharsets.US_ASCII));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).split("\r\n", 2)[0];
		}
	}

}

package io.rowqueue.dashboard;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Exports of many jobs, which are sent while they are read. */
class ExportTests {

	private static final String EXPORT = "/rowqueue/api/jobs/export";

	/** More than the buffers of a connection hold. */
	private static final int JOBS = 40_000;

	private static final String[] NO_SECURITY = { "rowqueue.dashboard.allow=everyone" };

	private static final Map<Host.Kind, Host> RUNNING = new EnumMap<>(Host.Kind.class);

	@AfterAll
	static void close() {
		RUNNING.values().forEach(Host::close);
	}

	@ParameterizedTest
	@EnumSource
	void hasAllJobsHoweverManyThereAre(Host.Kind kind) {
		Host host = host(kind);
		HttpResponse<String> csv = host.get(EXPORT + "?format=csv&queue=large");
		assertThat(csv.statusCode()).isEqualTo(200);
		assertThat(csv.headers().firstValue("Content-Length")).isEmpty();
		assertThat(Host.header(csv, "X-Content-Type-Options")).isEqualTo("nosniff");
		assertThat(csv.body().lines().count()).isEqualTo(1 + JOBS);
		assertThat(csv.body().lines().skip(1).map((line) -> line.substring(0, line.indexOf(','))).distinct().count())
			.isEqualTo(JOBS);
		assertThat(host.send("HEAD", EXPORT, null).statusCode()).isEqualTo(200);
		assertThat(host.get(EXPORT + "?state=fail").statusCode()).isEqualTo(400);
	}

	@ParameterizedTest
	@EnumSource
	void twoRunAtOnceUntilTheirClientsHaveGone(Host.Kind kind) throws IOException {
		Host host = host(kind);
		try (Socket first = begin(host); Socket second = begin(host)) {
			assertThat(first.isConnected() && second.isConnected()).isTrue();
			HttpResponse<String> third = host.get(EXPORT + "?queue=none");
			assertThat(third.statusCode()).isEqualTo(429);
			assertThat(third.body()).contains("Other exports are running");
			assertThat(Host.header(third, "Retry-After")).isNotEmpty();
			assertThat(host.get("/rowqueue/api/jobs?queue=large&limit=1").statusCode()).as("other reads go on")
				.isEqualTo(200);
		}
		Awaitility.await()
			.pollInterval(Duration.ofSeconds(3)) // a caller may start thirty a minute
			.atMost(Duration.ofMinutes(2))
			.until(() -> host.get(EXPORT + "?queue=none").statusCode() == 200);
	}

	private static Host host(Host.Kind kind) {
		return RUNNING.computeIfAbsent(kind, (each) -> {
			Host host = Host.start(each, new Class<?>[0], NO_SECURITY);
			host.jdbc()
				.sql("""
						insert into rowqueue.job (queue, type, state, run_at, order_at)
						select 'large', repeat('type', 10), 'queued', now(), now() from generate_series(1, ?)""")
				.param(JOBS)
				.update();
			return host;
		});
	}

	/** An export whose client reads nothing but the first byte. */
	private static Socket begin(Host host) throws IOException {
		Socket socket = new Socket();
		socket.setReceiveBufferSize(4096);
		socket.connect(new InetSocketAddress("127.0.0.1", host.port()));
		socket.getOutputStream()
			.write(("GET " + EXPORT + "?queue=large HTTP/1.1\r\nHost: localhost\r\n\r\n")
				.getBytes(StandardCharsets.UTF_8));
		assertThat(socket.getInputStream().read()).isEqualTo('H');
		return socket;
	}

}

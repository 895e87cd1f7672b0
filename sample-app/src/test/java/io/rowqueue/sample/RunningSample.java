package io.rowqueue.sample;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.rowqueue.JobQueue;
import io.rowqueue.sample.receiver.OutOfOrderTwice;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Import;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.client.RestTestClient;

/** The whole application with its worker, used over HTTP. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "sample.data-dir=target/test-data/${random.uuid}", "sample.demo.enabled=false",
				"sample.imports.lookup=0" })
@AutoConfigureRestTestClient
@Import(OutOfOrderTwice.class)
public abstract class RunningSample {

	static {
		Awaitility.setDefaultTimeout(Duration.ofMinutes(3)); // on the slowest machine
	}

	@Autowired
	protected RestTestClient http;

	@Autowired
	protected JdbcClient jdbc;

	@Autowired
	private JobQueue jobs;

	protected RestTestClient.ResponseSpec post(String path, Object json) {
		return this.http.post().uri(path).contentType(MediaType.APPLICATION_JSON).body(json).exchange();
	}

	protected Map<String, Object> get(String path) {
		return get(path, new ParameterizedTypeReference<>() {
		});
	}

	protected List<Map<String, Object>> list(String path) {
		return get(path, new ParameterizedTypeReference<>() {
		});
	}

	protected int count(String table) {
		return this.jdbc.sql("select count(*) from " + table).query(Integer.class).single();
	}

	protected @Nullable String error(Object job) {
		return this.jobs.find(((Number) job).longValue()).orElseThrow().lastError();
	}

	private <T> T get(String path, ParameterizedTypeReference<T> type) {
		T body = this.http.get().uri(path).exchange().expectStatus().isOk().returnResult(type).getResponseBody();
		return Objects.requireNonNull(body);
	}

}

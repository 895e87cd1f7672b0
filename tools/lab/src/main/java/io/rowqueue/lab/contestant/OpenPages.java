package io.rowqueue.lab.contestant;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Asks a dashboard for what two open pages ask for, the overview and the list of jobs, as
 * often as they do, and with the tags of the answers that they have. It first asks so
 * often that the code of the server is compiled. What goes wrong is in the log of the
 * contestant.
 */
final class OpenPages implements AutoCloseable {

	/** Opens the dashboard of the contestant, which listens on the loopback interface. */
	static final String TOKEN = "token-of-the-contestant";

	/** Pages that have been open for half an hour have asked about as often. */
	private static final int WARM_UP = 1000;

	/** Of both pages; the list of jobs shows numbers of the overview. */
	private static final List<Read> READS = List.of(new Read("overview", 2), new Read("figures?range=1h", 16),
			new Read("jobs?limit=50", 2), new Read("overview", 6));

	private final HttpClient client = HttpClient.newHttpClient();

	private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

	private final Map<String, String> tags = new ConcurrentHashMap<>();

	private final String api;

	private final List<Future<?>> reading;

	OpenPages(int port) {
		this.api = "http://127.0.0.1:" + port + "/rowqueue/api/";
		for (int i = 0; i < WARM_UP; i++) {
			READS.forEach((read) -> ask(read.path()));
		}
		this.reading = READS.stream().map(this::repeat).toList();
	}

	private Future<?> repeat(Read read) {
		return this.executor.scheduleAtFixedRate(() -> ask(read.path()), read.everySeconds(), read.everySeconds(),
				TimeUnit.SECONDS);
	}

	private void ask(String path) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.api + path))
			.header("Authorization", "Bearer " + TOKEN);
		String known = this.tags.get(path);
		if (known != null) {
			request.header("If-None-Match", known);
		}
		try {
			HttpResponse<String> response = this.client.send(request.build(), HttpResponse.BodyHandlers.ofString());
			if (response.statusCode() != 200 && response.statusCode() != 304) {
				System.err.println(path + ": " + response.statusCode() + " " + response.body());
			}
			response.headers().firstValue("ETag").ifPresent((tag) -> this.tags.put(path, tag));
		}
		catch (IOException ex) {
			System.err.println(path + ": " + ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void close() {
		this.reading.forEach((read) -> read.cancel(false));
		this.executor.shutdownNow();
	}

	private record Read(String path, int everySeconds) {

	}

}

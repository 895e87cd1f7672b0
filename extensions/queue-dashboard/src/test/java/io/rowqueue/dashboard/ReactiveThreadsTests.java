package io.rowqueue.dashboard;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/** The threads of the dashboard in a reactive application. */
class ReactiveThreadsTests {

	private static final String WAIT = "Test-Wait";

	private static final long PATIENCE = 60;

	private static final CountDownLatch waiting = new CountDownLatch(1);

	private static final CountDownLatch end = new CountDownLatch(1);

	@Test
	void aPageDoesNotWaitForReadsOfTheDatabase() throws InterruptedException {
		try (Host host = Host.start(Host.Kind.REACTIVE, new Class<?>[] { SlowAccess.class },
				"rowqueue.dashboard.connections=1")) {
			CompletableFuture<HttpResponse<String>> read = CompletableFuture
				.supplyAsync(() -> host.get("/rowqueue/api/session", WAIT, "yes"), (task) -> new Thread(task).start());
			assertThat(waiting.await(PATIENCE, TimeUnit.SECONDS)).isTrue();
			assertThat(host.get("/rowqueue/").statusCode()).isEqualTo(200);
			assertThat(read).as("all threads for reads are still in use").isNotDone();
			end.countDown();
			assertThat(read).succeedsWithin(Duration.ofSeconds(PATIENCE))
				.extracting(HttpResponse::statusCode)
				.isEqualTo(200);
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class SlowAccess {

		@Bean
		DashboardAccess slowAccess() {
			return (caller) -> {
				if (caller.header(WAIT) != null) {
					await();
				}
				return DashboardRights.of(Level.READ);
			};
		}

		private static void await() {
			waiting.countDown();
			try {
				end.await(PATIENCE, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

}

package io.rowqueue.dashboard.autoconfigure;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/** The threads of exports whose clients do not read them, in a reactive application. */
class StalledClientsTests {

	private static final Duration LONG = Duration.ofMinutes(1);

	private final CompletableFuture<Void> thread = new CompletableFuture<>();

	private final CompletableFuture<Void> client = new CompletableFuture<>();

	@Test
	void aClientThatReadsNothingKeepsNoThread() {
		export(Duration.ofMillis(50), LONG, false);
		assertThat(this.client).failsWithin(LONG);
		assertThat(this.thread).succeedsWithin(LONG);
	}

	@Test
	void aClientThatReadsSlowlyKeepsNoThread() {
		export(LONG, Duration.ofMillis(50), true);
		assertThat(this.client).failsWithin(LONG);
		assertThat(this.thread).succeedsWithin(LONG);
	}

	/** An export without an end. */
	private void export(Duration silence, Duration time, boolean reads) {
		ReactiveDashboard.bounded(DataBufferUtils.outputStreamPublisher(this::write,
				DefaultDataBufferFactory.sharedInstance, Executors.newSingleThreadExecutor()), silence, time)
			.subscribe(new BaseSubscriber<DataBuffer>() {

				@Override
				protected void hookOnSubscribe(Subscription subscription) {
					subscription.request(1);
				}

				@Override
				protected void hookOnNext(DataBuffer buffer) {
					if (reads) {
						Schedulers.parallel().schedule(() -> request(1), 5, TimeUnit.MILLISECONDS);
					}
				}

				@Override
				protected void hookOnError(Throwable error) {
					StalledClientsTests.this.client.completeExceptionally(error);
				}

			});
	}

	private void write(OutputStream out) {
		try {
			while (true) {
				out.write(new byte[1024]);
				out.flush();
			}
		}
		catch (IOException ex) {
			this.thread.complete(null);
			throw new UncheckedIOException(ex);
		}
	}

}

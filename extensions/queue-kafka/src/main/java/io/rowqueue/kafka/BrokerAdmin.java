package io.rowqueue.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import io.rowqueue.transport.TransportException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.jspecify.annotations.Nullable;

/** The admin client, which is created when it is used first. */
final class BrokerAdmin implements AutoCloseable {

	private static final int TIMEOUT_MILLIS = 10_000;

	private final Map<String, Object> settings;

	private @Nullable Admin admin;

	BrokerAdmin(ClientSettings settings) {
		this.settings = new HashMap<>(settings.admin());
		ReconnectSettings.apply(this.settings);
		this.settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
		this.settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS / 2);
	}

	/**
	 * Sends a request and waits for the answer.
	 * @param what what fails if it fails, as in "Topic x cannot be created"
	 * @param request sends it, and never returns null: Kafka's maps have an answer for
	 * each name that was asked for
	 * @throws TransportException if it fails
	 */
	<T> T get(String what, Function<Admin, @Nullable KafkaFuture<T>> request) {
		try {
			// longer than the client, which knows more
			KafkaFuture<T> answer = Objects.requireNonNull(request.apply(client()), what);
			return answer.get(2 * TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException | TimeoutException | KafkaException ex) {
			throw KafkaErrors.of(what, ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new TransportException(what + ": interrupted", ex);
		}
	}

	/**
	 * Returns the client itself.
	 * @throws KafkaException if it cannot be created
	 */
	synchronized Admin client() {
		if (this.admin == null) {
			this.admin = Admin.create(this.settings);
		}
		return this.admin;
	}

	@Override
	public synchronized void close() {
		if (this.admin != null) {
			this.admin.close(Duration.ofSeconds(5));
		}
	}

}

package io.rowqueue.sample.webhook;

import java.net.URI;
import java.time.Instant;
import java.util.Objects;

import io.rowqueue.JobContext;
import io.rowqueue.JobHandler;
import io.rowqueue.sample.OwnAddress;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;
import tools.jackson.databind.json.JsonMapper;

/** Delivers webhooks; a delivery that the receiver refuses is retried later. */
@Component
class WebhookHandler {

	private final WebhookProperties properties;

	private final WebhookSignature signature;

	private final RestClient client;

	private final JsonMapper json;

	private final OwnAddress self;

	WebhookHandler(WebhookProperties properties, WebhookSignature signature, RestClient.Builder client, JsonMapper json,
			OwnAddress self) {
		this.properties = properties;
		this.signature = signature;
		this.client = client.build();
		this.json = json;
		this.self = self;
	}

	/**
	 * The id of the job is the id of the webhook. It is the same in every attempt, so
	 * that the receiver can ignore duplicates. The timestamp is that of the attempt.
	 */
	@JobHandler(Webhook.TYPE)
	void deliver(Webhook webhook, JobContext job) {
		URI url = Objects.requireNonNullElseGet(this.properties.url(), () -> this.self.of("/demo/receiver"));
		String id = Long.toString(job.id());
		String timestamp = Long.toString(Instant.now().getEpochSecond());
		byte[] body = this.json.writeValueAsBytes(webhook);
		this.client.post()
			.uri(url)
			.contentType(MediaType.APPLICATION_JSON)
			.header("Webhook-Id", id)
			.header("Webhook-Timestamp", timestamp)
			.header("Webhook-Signature", this.signature.sign(id, timestamp, body))
			.body(body)
			.retrieve()
			.onStatus((status) -> !status.is2xxSuccessful(), (request, response) -> {
				HttpStatusCode status = response.getStatusCode();
				throw new WebhookRefusedException(url + " responded with " + status);
			})
			.toBodilessEntity();
	}

}

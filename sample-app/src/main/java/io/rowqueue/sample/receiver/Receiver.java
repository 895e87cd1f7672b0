package io.rowqueue.sample.receiver;

import java.time.Instant;
import java.util.List;

import io.rowqueue.sample.webhook.WebhookSignature;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Receives webhooks. */
@RestController
@RequestMapping("/demo/receiver")
class Receiver {

	private static final Logger logger = LoggerFactory.getLogger(Receiver.class);

	private final WebhookSignature signature;

	private final Outage outage;

	private final ReceivedWebhooks received;

	private final JsonMapper json;

	Receiver(WebhookSignature signature, Outage outage, ReceivedWebhooks received, JsonMapper json) {
		this.signature = signature;
		this.outage = outage;
		this.received = received;
		this.json = json;
	}

	@PostMapping
	ResponseEntity<Void> receive(@RequestHeader("Webhook-Id") String id,
			@RequestHeader("Webhook-Timestamp") String timestamp, @RequestHeader("Webhook-Signature") String signatures,
			@RequestBody byte[] body) {
		if (!this.signature.verify(id, timestamp, signatures, body, Instant.now())) {
			return ResponseEntity.status(HttpStatus.UNAUTHORIZED).build();
		}
		if (this.outage.strikes(id)) {
			return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE).build();
		}
		JsonNode event = this.json.readTree(body);
		if (this.received.add(id, event.toString())) {
			logger.info("Webhook {} is accepted: {} {}", id, event.path("type").asString(""),
					event.path("data").path("email").asString(""));
		}
		else {
			logger.info("Webhook {} is a duplicate and was ignored", id);
		}
		return ResponseEntity.noContent().build();
	}

	@GetMapping
	List<ReceivedWebhook> latest() {
		return this.received.latest(50);
	}

}

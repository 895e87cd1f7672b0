package io.rowqueue.sample.receiver;

import java.time.Instant;

/**
 * A webhook that was accepted.
 *
 * @param id value of {@code Webhook-Id}
 * @param body the JSON
 * @param receivedAt when it was accepted
 */
record ReceivedWebhook(String id, String body, Instant receivedAt) {

}

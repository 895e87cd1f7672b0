package io.pgqueue.sample.webhook;

import java.net.URI;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The receiver of webhooks.
 *
 * @param url the URL of the receiver; by default the endpoint {@code /demo/receiver} of
 * this application
 * @param secret the secret that is shared with the receiver: {@code whsec_} and a key in
 * Base64
 */
@ConfigurationProperties("sample.webhooks")
record WebhookProperties(@Nullable URI url, String secret) {

}

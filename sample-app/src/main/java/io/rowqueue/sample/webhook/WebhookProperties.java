package io.rowqueue.sample.webhook;

import java.net.URI;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The receiver of webhooks.
 *
 * @param url the URL of the receiver; by default the endpoint {@code /demo/receiver} of
 * this application
 * @param secret the secret that is shared with the receiver: {@code whsec_} and a key in
 * Base64
 * @param limitHosts whether deliveries to the same host share a limit
 */
@ConfigurationProperties("sample.webhooks")
record WebhookProperties(@Nullable URI url, String secret, @DefaultValue("true") boolean limitHosts) {

}

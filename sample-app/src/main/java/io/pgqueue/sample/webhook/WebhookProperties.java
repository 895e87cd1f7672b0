package io.pgqueue.sample.webhook;

import java.net.URI;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where webhooks go.
 *
 * @param url who receives them; by default the endpoint {@code /demo/receiver} of this
 * application
 * @param secret what the receiver knows as well, {@code whsec_} and a key in Base64
 * @param limitHosts whether webhooks for one host count against its limit
 */
@ConfigurationProperties("sample.webhooks")
record WebhookProperties(@Nullable URI url, String secret, @DefaultValue("true") boolean limitHosts) {

}

package io.rowqueue.sample.contact;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Settings of imports.
 *
 * @param lookup the additional time for each row, which simulates a call of another
 * system
 */
@ConfigurationProperties("sample.imports")
record ImportProperties(Duration lookup) {

}

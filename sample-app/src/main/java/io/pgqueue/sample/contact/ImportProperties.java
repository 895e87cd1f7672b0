package io.pgqueue.sample.contact;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * How imports go.
 *
 * @param lookup how long a row takes beyond its insert, as if each contact were looked up
 * somewhere
 */
@ConfigurationProperties("sample.imports")
record ImportProperties(Duration lookup) {

}

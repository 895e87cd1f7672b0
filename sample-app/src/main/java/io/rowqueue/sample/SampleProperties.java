package io.rowqueue.sample;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * General settings of the application.
 *
 * @param dataDir the directory of pictures and the embedded database; by default next to
 * the compiled classes or the jar
 */
@ConfigurationProperties("sample")
record SampleProperties(@Nullable Path dataDir) {

}

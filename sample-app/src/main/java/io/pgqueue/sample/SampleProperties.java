package io.pgqueue.sample;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * What concerns the application as a whole.
 *
 * @param dataDir where pictures and the embedded database are kept; beside the compiled
 * classes or the jar by default
 */
@ConfigurationProperties("sample")
record SampleProperties(@Nullable Path dataDir) {

}

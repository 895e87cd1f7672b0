package io.rowqueue.autoconfigure;

import java.io.IOException;
import java.util.List;

import io.rowqueue.migration.MigrationLog;
import io.rowqueue.schema.SchemaPart;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;

/** A native image has every file that the queue reads. */
class QueueRuntimeHintsTests {

	@Test
	void everyFileOfTheEngineIsIncluded() throws IOException {
		RuntimeHints hints = hints();
		List<String> files = files();
		assertThat(files).contains("io/rowqueue/version.properties", "io/rowqueue/schema/migration/index",
				"io/rowqueue/engine/window/migration/index");
		assertThat(files).allMatch((file) -> RuntimeHintsPredicates.resource().forResource(file).test(hints));
	}

	@Test
	void flywayCanCreateTheLogOfTheMigrations() throws NoSuchMethodException {
		assertThat(RuntimeHintsPredicates.reflection()
			.onConstructorInvocation(MigrationLog.class.getDeclaredConstructor())).accepts(hints());
	}

	private static RuntimeHints hints() {
		RuntimeHints hints = new RuntimeHints();
		SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
			.load(RuntimeHintsRegistrar.class)
			.stream()
			.filter(QueueRuntimeHints.class::isInstance)
			.forEach((registrar) -> registrar.registerHints(hints, SchemaPart.class.getClassLoader()));
		return hints;
	}

	/**
	 * All that is no class, of the jar or directory that the engine is in, and the tables
	 * of all parts.
	 */
	private static List<String> files() throws IOException {
		String root = SchemaPart.class.getProtectionDomain().getCodeSource().getLocation().toString();
		String prefix = root.endsWith(".jar") ? "jar:" + root + "!/" : root;
		Resource[] found = new PathMatchingResourcePatternResolver().getResources(prefix + "io/rowqueue/**/*.*");
		Resource[] without = new PathMatchingResourcePatternResolver()
			.getResources(prefix + "io/rowqueue/schema/migration/*");
		Resource[] parts = new PathMatchingResourcePatternResolver()
			.getResources("classpath*:io/rowqueue/engine/*/migration/*");
		return java.util.stream.Stream.of(found, without, parts)
			.flatMap(java.util.Arrays::stream)
			.map((resource) -> uri(resource).replaceFirst(".*(?=io/rowqueue/)", ""))
			.filter((file) -> !file.endsWith(".class") && !file.endsWith("/"))
			.distinct()
			.toList();
	}

	private static String uri(Resource resource) {
		try {
			return resource.getURI().toString();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}

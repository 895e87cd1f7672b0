package io.rowqueue.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Names the database of which others are copies by all that decides about its tables, so
 * that a server that still runs has no tables of former scripts or of the day before.
 */
final class TemplateName {

	private TemplateName() {
	}

	/**
	 * The name for the tables that a class creates.
	 * @param source the class, with all scripts in its package or below, and with those
	 * of the parts that it finds on the class path
	 */
	static String of(Class<?> source) {
		try {
			Path location = Path.of(source.getProtectionDomain().getCodeSource().getLocation().toURI());
			String parts = source.getName() + LocalDate.now(ZoneOffset.UTC) + Boolean.getBoolean("postgres.publication")
					+ files(location, source.getPackageName()) + parts(source);
			UUID digest = UUID.nameUUIDFromBytes(parts.getBytes(StandardCharsets.UTF_8));
			return "template_" + digest.toString().replace('-', '_');
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException("The files of " + source + " are not found", ex);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The files of " + source + " cannot be read", ex);
		}
	}

	private static List<String> files(Path location, String packageName) throws IOException {
		Path below = Files.isDirectory(location) ? location.resolve(packageName.replace('.', '/')) : location;
		try (Stream<Path> files = Files.walk(below)) {
			return files.filter(Files::isRegularFile).sorted().map(TemplateName::describe).toList();
		}
	}

	private static List<String> parts(Class<?> source) throws IOException, URISyntaxException {
		String service = "META-INF/services/" + source.getPackageName() + ".SchemaPart";
		List<String> scripts = new ArrayList<>();
		for (URL part : Collections.list(source.getClassLoader().getResources(service))) {
			if (part.openConnection() instanceof JarURLConnection jar) {
				scripts.add(describe(Path.of(jar.getJarFileURL().toURI())));
				continue;
			}
			Path root = Path.of(part.toURI()).resolve("../../..").normalize();
			try (Stream<Path> files = Files.walk(root)) {
				files.filter((file) -> file.toString().endsWith(".sql"))
					.sorted()
					.map(TemplateName::describe)
					.forEach(scripts::add);
			}
		}
		return scripts;
	}

	private static String describe(Path file) {
		try {
			return file + " " + Files.size(file) + " " + Files.getLastModifiedTime(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

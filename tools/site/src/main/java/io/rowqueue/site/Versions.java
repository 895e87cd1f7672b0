package io.rowqueue.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import tools.jackson.databind.json.JsonMapper;

/** The versions whose documentation lies side by side, the newest first. */
final class Versions {

	private static final Comparator<String> BY_NUMBERS = (one, other) -> java.util.Arrays.compare(numbers(one),
			numbers(other));

	private Versions() {
	}

	/** Writes the list of versions, and the page that leads to the newest of them. */
	static void write(Path sites) throws IOException {
		List<String> versions;
		try (Stream<Path> directories = Files.list(sites)) {
			versions = directories.filter((directory) -> Files.exists(directory.resolve("docs/index.html")))
				.map((directory) -> directory.getFileName().toString())
				.sorted(BY_NUMBERS.thenComparing(Comparator.reverseOrder()).reversed())
				.toList();
		}
		String json = JsonMapper.shared().writeValueAsString(versions);
		// a page on a disk can load a script, but no data
		Files.writeString(sites.resolve("versions.js"), "window.rowqueueVersions = " + json + ";\n");
		String newest = Template.escape(versions.get(0));
		Files.writeString(sites.resolve("index.html"), """
				<!doctype html>
				<html lang="en">
				<meta charset="utf-8">
				<title>Rowqueue</title>
				<meta http-equiv="refresh" content="0; url=%1$s/index.html">
				<p><a href="%1$s/index.html">Rowqueue %1$s</a></p>
				</html>
				""".formatted(newest));
	}

	private static int[] numbers(String version) {
		return Stream.of(version.replaceFirst("-.*", "").split("\\.")).mapToInt(Integer::parseInt).toArray();
	}

}

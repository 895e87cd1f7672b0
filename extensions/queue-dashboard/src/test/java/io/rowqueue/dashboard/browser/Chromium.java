package io.rowqueue.dashboard.browser;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.springframework.util.FileSystemUtils;

/**
 * A Chromium without a window, driven over its own protocol: no driver is downloaded.
 */
final class Chromium {

	private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome", "chrome");

	private final Process process;

	private final Path profile;

	private final DevTools tools;

	private Chromium(Process process, Path profile, DevTools tools) {
		this.process = process;
		this.profile = profile;
		this.tools = tools;
	}

	/**
	 * Returns the program: the property {@code chromium}, or the first one on the path.
	 */
	static Optional<Path> find() {
		String given = System.getProperty("chromium");
		if (given != null) {
			return Optional.of(Path.of(given));
		}
		return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
			.flatMap((folder) -> NAMES.stream().map((name) -> Path.of(folder, name)))
			.filter(Files::isExecutable)
			.findFirst();
	}

	static Chromium start(Path program) throws IOException {
		Path profile = Files.createTempDirectory("chromium");
		Process process = new ProcessBuilder(program.toString(), "--headless", "--no-sandbox", "--disable-gpu",
				"--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run", "--disable-extensions",
				"--disable-background-networking", "--remote-debugging-port=0", "--user-data-dir=" + profile,
				"about:blank")
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start();
		Path announcement = profile.resolve("DevToolsActivePort");
		Awaitility.await("Chromium listens")
			.until(() -> Files.exists(announcement) && Files.readAllLines(announcement).size() == 2);
		List<String> address = Files.readAllLines(announcement);
		return new Chromium(process, profile,
				new DevTools(URI.create("ws://127.0.0.1:" + address.get(0) + address.get(1))));
	}

	/** Opens a page of its own. */
	BrowserPage open() {
		return new BrowserPage(this.tools);
	}

	/** Ends the browser. */
	void close() {
		this.tools.close();
		List<ProcessHandle> helpers = this.process.descendants().toList();
		this.process.destroy();
		this.process.onExit().join();
		for (ProcessHandle helper : helpers) {
			helper.destroy();
			helper.onExit().join(); // it writes to the profile
		}
		FileSystemUtils.deleteRecursively(this.profile.toFile());
	}

}

package io.rowqueue.postgres;

import java.util.Locale;

/**
 * What the binaries are made for.
 *
 * @param system operating system
 * @param architecture processor
 */
record Platform(String system, String architecture) {

	static Platform current() {
		String name = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
		String system = name.startsWith("windows") ? "windows" : name.startsWith("mac") ? "darwin" : "linux";
		String architecture = switch (System.getProperty("os.arch", "")) {
			case "amd64", "x86_64" -> "x86_64";
			case "aarch64", "arm64" -> "arm_64";
			default -> System.getProperty("os.arch", "unknown");
		};
		return new Platform(system, architecture);
	}

	boolean isLinux() {
		return this.system.equals("linux");
	}

	boolean isWindows() {
		return this.system.equals("windows");
	}

	String archive() {
		return "postgres-" + this.system + "-" + this.architecture + ".txz";
	}

}

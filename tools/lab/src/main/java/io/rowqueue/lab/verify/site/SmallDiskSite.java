package io.rowqueue.lab.verify.site;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;

import io.rowqueue.postgres.PrivatePostgres;

/**
 * A database whose tables are on a small file system in memory, which can be filled. The
 * WAL is elsewhere: where that is full, the server itself stops.
 */
public final class SmallDiskSite extends Site {

	private static final String SIZE = "48m";

	private static final String NAME = "small";

	private final PrivatePostgres server;

	private final Path disk;

	private SmallDiskSite(PrivatePostgres server, Path disk) {
		super(server.database(NAME), null);
		this.server = server;
		this.disk = disk;
	}

	/** Why there can be none here. */
	public static Optional<String> obstacle(Path home) {
		Path probe = home.resolve("probe");
		try {
			Files.createDirectories(probe);
			run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", probe.toString());
			run("umount", probe.toString());
			return Optional.empty();
		}
		catch (IOException ex) {
			return Optional
				.of("a small file system cannot be mounted here, which takes root on Linux: " + ex.getMessage());
		}
	}

	/** Mounts the disk and puts a database on it. */
	public static SmallDiskSite create(Sites sites) throws IOException, SQLException {
		PrivatePostgres server = sites.create("disk", Map.of());
		Path disk = server.home().resolve("small");
		Files.createDirectories(disk);
		run("mount", "-t", "tmpfs", "-o", "size=" + SIZE + ",mode=0777", "tmpfs", disk.toString());
		SmallDiskSite site = new SmallDiskSite(server, disk);
		Path tables = disk.resolve("tables");
		server.createDirectory(tables);
		try (Connection connection = new Site(server.database(), null).connect();
				Statement statement = connection.createStatement()) {
			statement.execute("create tablespace " + NAME + " location '" + tables + "'");
			statement.execute("create database " + NAME + " tablespace " + NAME);
		}
		return site;
	}

	/** Leaves not a byte. */
	public void fill() {
		try (OutputStream ballast = Files.newOutputStream(ballast(), StandardOpenOption.CREATE,
				StandardOpenOption.APPEND)) {
			byte[] block = new byte[4096];
			while (true) {
				ballast.write(block);
			}
		}
		catch (IOException ex) {
			// it is full
		}
	}

	/** Takes the ballast away. */
	public void free() throws IOException {
		Files.deleteIfExists(ballast());
	}

	private Path ballast() {
		return this.disk.resolve("ballast");
	}

	@Override
	public void close() {
		this.server.close();
		try {
			run("umount", "-l", this.disk.toString());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void run(String... command) throws IOException {
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(Redirect.PIPE)
				.start();
			String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			if (process.waitFor() != 0) {
				throw new IOException(said.strip());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException(ex);
		}
	}

}

package io.rowqueue.postgres;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data of servers that have ended. It is deleted while the next one runs: after a
 * build, that takes half a minute.
 *
 * @param home the directory of the servers
 */
record DiscardedData(Path home) {

	private static final Logger logger = LoggerFactory.getLogger(DiscardedData.class);

	private static final String PREFIX = "discarded-";

	/** Makes room for the data of the next server at once. */
	void add(Path data) throws IOException {
		if (Files.exists(data)) {
			Files.move(data, this.home.resolve(PREFIX + UUID.randomUUID()), StandardCopyOption.ATOMIC_MOVE);
		}
	}

	/**
	 * Deletes it, also what a JVM has left that ended too soon. One JVM does that at a
	 * time.
	 */
	void deleteInBackground() {
		Thread thread = new Thread(this::delete, "dev-postgres delete");
		thread.setDaemon(true);
		thread.start();
	}

	private void delete() {
		try (FileChannel channel = FileChannel.open(this.home.resolve("discarded.lock"), StandardOpenOption.CREATE,
				StandardOpenOption.WRITE);
				FileLock lock = channel.tryLock();
				DirectoryStream<Path> all = Files.newDirectoryStream(this.home, PREFIX + "*")) {
			if (lock != null) {
				for (Path each : all) {
					Cluster.delete(each);
				}
			}
		}
		catch (IOException | OverlappingFileLockException ex) {
			logger.debug("Discarded data in {} is left to another process", this.home, ex);
		}
	}

}

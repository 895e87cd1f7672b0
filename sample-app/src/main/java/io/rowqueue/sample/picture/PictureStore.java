package io.rowqueue.sample.picture;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

import io.rowqueue.sample.DataDirectory;
import org.springframework.stereotype.Component;

/** Pictures and thumbnails on disk; no file is ever incomplete. */
@Component
class PictureStore {

	private final Path data;

	private final Path pictures;

	private final Path thumbnails;

	PictureStore(DataDirectory data) {
		this.data = data.path();
		this.pictures = data.directory("pictures");
		this.thumbnails = data.directory("thumbnails");
	}

	/** Returns the path relative to the data directory, which can be moved. */
	String addPicture(UUID id, InputStream content) throws IOException {
		Path picture = this.pictures.resolve(id.toString());
		write(picture, content::transferTo);
		return "pictures/" + id;
	}

	Path picture(String path) {
		Path picture = this.data.resolve(path).normalize();
		if (!picture.startsWith(this.pictures)) {
			throw new IllegalArgumentException(path + " is not below " + this.pictures);
		}
		return picture;
	}

	Path thumbnail(String pictureId) {
		return this.thumbnails.resolve(pictureId + ".png");
	}

	/**
	 * Writes a temporary file and renames it: if the process is killed in between, there
	 * is no incomplete file under the target's name, and a repeated attempt replaces the
	 * file.
	 */
	void write(Path target, Content content) throws IOException {
		Path unfinished = Files.createTempFile(target.getParent(), target.getFileName().toString(), ".unfinished");
		try {
			try (OutputStream stream = Files.newOutputStream(unfinished)) {
				content.writeTo(stream);
			}
			Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
		}
		finally {
			Files.deleteIfExists(unfinished);
		}
	}

	@FunctionalInterface
	interface Content {

		void writeTo(OutputStream stream) throws IOException;

	}

}

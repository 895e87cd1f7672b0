package io.rowqueue.sample.picture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

import io.rowqueue.JobQueue;
import org.springframework.stereotype.Service;

/** Accepts pictures. */
@Service
public class Pictures {

	private final PictureStore store;

	private final JobQueue queue;

	Pictures(PictureStore store, JobQueue queue) {
		this.store = store;
		this.queue = queue;
	}

	/**
	 * Stores a picture and enqueues its thumbnail. The file is written first: a file
	 * without a job does less harm than a job without its file.
	 * @param content the picture
	 * @param size the longer side of the thumbnail, in pixels
	 * @return the ids of the picture and the job
	 * @throws IOException if it cannot be stored
	 */
	public Upload add(InputStream content, int size) throws IOException {
		UUID id = UUID.randomUUID();
		String path = this.store.addPicture(id, content);
		return new Upload(id, this.queue.enqueue(new Thumbnail(path, size).toJob()).id());
	}

	Optional<Path> thumbnail(UUID id) {
		return Optional.of(this.store.thumbnail(id.toString())).filter(Files::exists);
	}

	/**
	 * An accepted picture.
	 *
	 * @param id the id of the picture
	 * @param job the id of the job that creates its thumbnail
	 */
	public record Upload(UUID id, long job) {

	}

}

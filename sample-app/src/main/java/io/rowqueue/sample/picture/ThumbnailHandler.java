package io.rowqueue.sample.picture;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;

import javax.imageio.ImageIO;

import io.rowqueue.JobHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Writes thumbnails. */
@Component
class ThumbnailHandler {

	private static final Logger logger = LoggerFactory.getLogger(ThumbnailHandler.class);

	private final PictureStore store;

	ThumbnailHandler(PictureStore store) {
		this.store = store;
	}

	@JobHandler(Thumbnail.TYPE)
	void make(Thumbnail thumbnail) throws IOException {
		Path picture = this.store.picture(thumbnail.picture());
		BufferedImage image = Thumbnailer.scale(picture, thumbnail.size());
		Path target = this.store.thumbnail(picture.getFileName().toString());
		this.store.write(target, (stream) -> ImageIO.write(image, "png", stream));
		logger.info("Thumbnail of {} x {} pixels is written to {}", image.getWidth(), image.getHeight(), target);
	}

}

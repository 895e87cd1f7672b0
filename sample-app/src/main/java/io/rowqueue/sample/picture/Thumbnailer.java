package io.rowqueue.sample.picture;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.stream.FileImageInputStream;
import javax.imageio.stream.ImageInputStream;

/** Scales pictures down. */
final class Thumbnailer {

	/** The decoders of these formats are bounded by {@link #MAX_BYTES}. */
	private static final Set<String> FORMATS = Set.of("jpeg", "png", "gif", "bmp");

	/** Decoders that cannot skip rows and columns keep the whole picture in memory. */
	private static final long MAX_BYTES = 200_000_000;

	private Thumbnailer() {
	}

	/**
	 * Scales a picture down.
	 * @param picture a JPEG, PNG, GIF or BMP
	 * @param size the maximum length of the longer side, in pixels
	 * @return the scaled picture, never larger than the original
	 * @throws NotAPictureException if the file has another format or is too large
	 * @throws IOException if the file cannot be read
	 */
	static BufferedImage scale(Path picture, int size) throws IOException {
		if (!Files.isReadable(picture)) {
			throw new IOException("The file " + picture + " does not exist or is not readable");
		}
		try (ImageInputStream stream = new FileImageInputStream(picture.toFile())) {
			ImageReader reader = reader(stream).orElseThrow(() -> new NotAPictureException(
					picture.getFileName() + " is not a JPEG, PNG, GIF or BMP picture", null));
			try {
				reader.setInput(stream, true, true);
				return draw(read(reader, size), size);
			}
			// decoders throw various exceptions for damaged files
			catch (IOException | RuntimeException ex) {
				throw new NotAPictureException(
						picture.getFileName() + " cannot be read as a picture: " + ex.getMessage(), ex);
			}
			finally {
				reader.dispose();
			}
		}
	}

	private static Optional<ImageReader> reader(ImageInputStream stream) throws IOException {
		Iterator<ImageReader> readers = ImageIO.getImageReaders(stream);
		while (readers.hasNext()) {
			ImageReader reader = readers.next();
			if (FORMATS.contains(reader.getFormatName().toLowerCase(Locale.ROOT))) {
				return Optional.of(reader);
			}
			reader.dispose();
		}
		return Optional.empty();
	}

	/** Skips rows and columns while decoding, down to twice the size. */
	private static BufferedImage read(ImageReader reader, int size) throws IOException {
		long width = reader.getWidth(0);
		long height = reader.getHeight(0);
		long bytes = width * height * bytesPerPixel(reader);
		if (bytes > MAX_BYTES) {
			throw new IOException(
					"%d x %d pixels take %d bytes, more than %d".formatted(width, height, bytes, MAX_BYTES));
		}
		int step = (int) Math.max(1, Math.max(width, height) / (2L * size));
		ImageReadParam param = reader.getDefaultReadParam();
		param.setSourceSubsampling(step, step, 0, 0);
		return reader.read(0, param);
	}

	/** Decoders that do not report it produce at most four bytes. */
	private static long bytesPerPixel(ImageReader reader) throws IOException {
		ImageTypeSpecifier type = reader.getRawImageType(0);
		return (type != null) ? Math.max(4, (type.getColorModel().getPixelSize() + 7) / 8) : 4;
	}

	private static BufferedImage draw(BufferedImage source, int size) {
		double scale = Math.min(1, (double) size / Math.max(source.getWidth(), source.getHeight()));
		int width = (int) Math.max(1, Math.round(source.getWidth() * scale));
		int height = (int) Math.max(1, Math.round(source.getHeight() * scale));
		BufferedImage thumbnail = new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB);
		Graphics2D graphics = thumbnail.createGraphics();
		try {
			graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
			graphics.drawImage(source, 0, 0, width, height, null);
		}
		finally {
			graphics.dispose();
		}
		return thumbnail;
	}

}

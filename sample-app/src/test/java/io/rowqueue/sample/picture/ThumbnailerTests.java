package io.rowqueue.sample.picture;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32;

import javax.imageio.ImageIO;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

class ThumbnailerTests {

	@TempDir
	private Path directory;

	@ParameterizedTest
	@CsvSource({ "1600, 800, 100, 50", "800, 1600, 50, 100", "1000, 3, 100, 1", "60, 40, 60, 40" })
	void theThumbnailerFitsThePictureIntoTheSize(int width, int height, int expectedWidth, int expectedHeight)
			throws IOException {
		BufferedImage thumbnail = Thumbnailer.scale(picture("png", width, height), 100);

		assertThat(thumbnail.getWidth()).isEqualTo(expectedWidth);
		assertThat(thumbnail.getHeight()).isEqualTo(expectedHeight);
	}

	@ParameterizedTest
	@CsvSource({ "png", "jpg", "gif", "bmp" })
	void theThumbnailerKeepsWhatIsInThePicture(String format) throws IOException {
		BufferedImage thumbnail = Thumbnailer.scale(picture(format, 400, 400), 40);

		assertThat(new Color(thumbnail.getRGB(5, 20)).getRed()).isGreaterThan(200);
		assertThat(new Color(thumbnail.getRGB(35, 20)).getBlue()).isGreaterThan(200);
	}

	@Test
	void theThumbnailerRejectsAFileThatIsNoPicture() throws IOException {
		Path file = Files.writeString(this.directory.resolve("text"), "no picture");

		assertThatExceptionOfType(NotAPictureException.class).isThrownBy(() -> Thumbnailer.scale(file, 100))
			.withMessage("text is not a JPEG, PNG, GIF or BMP picture");
	}

	/**
	 * Java can decode it, but a small file of this format may need any amount of memory.
	 */
	@Test
	void theThumbnailerRejectsAFormatThatItDoesNotName() throws IOException {
		Path file = picture("tiff", 60, 40);

		assertThatExceptionOfType(NotAPictureException.class).isThrownBy(() -> Thumbnailer.scale(file, 100))
			.withMessage("picture.tiff is not a JPEG, PNG, GIF or BMP picture");
	}

	/** The header alone decides: the file of such a picture can be small. */
	@ParameterizedTest
	@CsvSource({ "8, 2, 8000, 8000, 256000000", "16, 6, 6000, 6000, 288000000" })
	void theThumbnailerRejectsAPictureThatTakesTooMuchMemory(int depth, int colorType, int width, int height,
			long bytes) throws IOException {
		Path file = Files.write(this.directory.resolve("huge.png"), pngHeader(width, height, depth, colorType));

		assertThatExceptionOfType(NotAPictureException.class).isThrownBy(() -> Thumbnailer.scale(file, 100))
			.withMessageEndingWith("%d x %d pixels take %d bytes, more than 200000000".formatted(width, height, bytes));
	}

	@ParameterizedTest
	@CsvSource({ "png, 20", "png, 500", "jpg, 30", "gif, 15" })
	void theThumbnailerRejectsAPictureThatIsCutOff(String format, int length) throws IOException {
		byte[] whole = Files.readAllBytes(picture(format, 400, 400));
		Path file = Files.write(this.directory.resolve("half"), Arrays.copyOf(whole, length));

		assertThatExceptionOfType(NotAPictureException.class).isThrownBy(() -> Thumbnailer.scale(file, 100))
			.withMessageStartingWith("half cannot be read as a picture: ");
	}

	@Test
	void theThumbnailerMayReadAMissingFileLater() {
		assertThatIOException().isThrownBy(() -> Thumbnailer.scale(this.directory.resolve("missing"), 100))
			.withMessageContaining("missing");
	}

	private static byte[] pngHeader(int width, int height, int depth, int colorType) {
		ByteBuffer header = ByteBuffer.allocate(17);
		header.put("IHDR".getBytes(StandardCharsets.US_ASCII)).putInt(width).putInt(height);
		header.put((byte) depth).put((byte) colorType).put(new byte[3]);
		CRC32 checksum = new CRC32();
		checksum.update(header.array());
		ByteBuffer file = ByteBuffer.allocate(100);
		file.putLong(0x89504e470d0a1a0aL).putInt(13).put(header.array()).putInt((int) checksum.getValue());
		file.putInt(0).put("IDAT".getBytes(StandardCharsets.US_ASCII));
		return file.array();
	}

	/** Red on the left, blue on the right. */
	private Path picture(String format, int width, int height) throws IOException {
		BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
		Graphics2D graphics = image.createGraphics();
		graphics.setColor(Color.RED);
		graphics.fillRect(0, 0, width / 2, height);
		graphics.setColor(Color.BLUE);
		graphics.fillRect(width / 2, 0, width, height);
		graphics.dispose();
		Path file = this.directory.resolve("picture." + format);
		assertThat(ImageIO.write(image, format, file.toFile())).isTrue();
		return file;
	}

}

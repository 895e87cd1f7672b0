package io.pgqueue.sample.picture;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

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
	void fitsThePictureIntoTheSize(int width, int height, int expectedWidth, int expectedHeight) throws IOException {
		BufferedImage thumbnail = Thumbnailer.scale(picture("png", width, height), 100);

		assertThat(thumbnail.getWidth()).isEqualTo(expectedWidth);
		assertThat(thumbnail.getHeight()).isEqualTo(expectedHeight);
	}

	@ParameterizedTest
	@CsvSource({ "png", "jpg", "gif", "bmp" })
	void keepsWhatIsInThePicture(String format) throws IOException {
		BufferedImage thumbnail = Thumbnailer.scale(picture(format, 400, 400), 40);

		assertThat(new Color(thumbnail.getRGB(5, 20)).getRed()).isGreaterThan(200);
		assertThat(new Color(thumbnail.getRGB(35, 20)).getBlue()).isGreaterThan(200);
	}

	@Test
	void refusesAFileThatIsNoPicture() throws IOException {
		Path file = Files.writeString(this.directory.resolve("text"), "no picture");

		assertThatExceptionOfType(NotAPictureException.class).isThrownBy(() -> Thumbnailer.scale(file, 100))
			.withMessage("text is not a JPEG, PNG, GIF or BMP picture");
	}

	@ParameterizedTest
	@CsvSource({ "png, 20", "png, 500", "jpg, 30", "gif, 15" })
	void refusesAPictureThatIsCutOff(String format, int length) throws IOException {
		byte[] whole = Files.readAllBytes(picture(format, 400, 400));
		Path file = Files.write(this.directory.resolve("half"), Arrays.copyOf(whole, length));

		assertThatExceptionOfType(NotAPictureException.class).isThrownBy(() -> Thumbnailer.scale(file, 100))
			.withMessageStartingWith("half cannot be read as a picture: ");
	}

	@Test
	void mayReadAMissingFileLater() {
		assertThatIOException().isThrownBy(() -> Thumbnailer.scale(this.directory.resolve("missing"), 100))
			.withMessageContaining("missing");
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

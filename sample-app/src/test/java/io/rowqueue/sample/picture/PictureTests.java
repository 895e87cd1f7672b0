package io.rowqueue.sample.picture;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

import javax.imageio.ImageIO;

import io.rowqueue.sample.OnDevPostgres;
import io.rowqueue.sample.RunningSample;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class PictureTests extends RunningSample implements OnDevPostgres {

	@Test
	void aPictureGetsAThumbnail() throws IOException {
		Object id = upload(png(600, 300), 100).get("id");

		byte[] thumbnail = await().until(() -> thumbnail(id), Objects::nonNull);

		BufferedImage image = ImageIO.read(new ByteArrayInputStream(thumbnail));
		assertThat(image.getWidth()).isEqualTo(100);
		assertThat(image.getHeight()).isEqualTo(50);
	}

	@Test
	void aFileThatIsNotAPictureFailsAtTheFirstAttempt() {
		Object job = upload("no picture".getBytes(StandardCharsets.UTF_8), 100).get("job");

		await().untilAsserted(
				() -> assertThat(get("/api/jobs/" + job)).containsEntry("state", "FAILED").containsEntry("attempt", 1));
		assertThat(error(job)).contains("is not a JPEG, PNG, GIF or BMP picture");
	}

	@ParameterizedTest
	@ValueSource(ints = { 15, 1025 })
	void theSizeOfAThumbnailIsLimited(int size) throws IOException {
		post(png(20, 20), size).expectStatus().isBadRequest();
	}

	@Test
	void anUnknownPictureHasNoThumbnail() {
		this.http.get()
			.uri("/api/pictures/00000000-0000-0000-0000-000000000000/thumbnail")
			.exchange()
			.expectStatus()
			.isNotFound();
	}

	private byte[] thumbnail(Object id) {
		byte[] body = this.http.get()
			.uri("/api/pictures/" + id + "/thumbnail")
			.accept(MediaType.IMAGE_PNG)
			.exchange()
			.returnResult(byte[].class)
			.getResponseBody();
		return (body != null && body.length > 0 && body[0] == (byte) 0x89) ? body : null;
	}

	private Map<String, Object> upload(byte[] file, int size) {
		return post(file, size).expectStatus()
			.isAccepted()
			.returnResult(new ParameterizedTypeReference<Map<String, Object>>() {
			})
			.getResponseBody();
	}

	private RestTestClient.ResponseSpec post(byte[] file, int size) {
		MultiValueMap<String, Object> form = new LinkedMultiValueMap<>();
		form.add("file", new ByteArrayResource(file) {

			@Override
			public String getFilename() {
				return "picture.png";
			}

		});
		return this.http.post()
			.uri("/api/pictures?size=" + size)
			.contentType(MediaType.MULTIPART_FORM_DATA)
			.body(form)
			.exchange();
	}

	private static byte[] png(int width, int height) throws IOException {
		ByteArrayOutputStream png = new ByteArrayOutputStream();
		ImageIO.write(new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB), "png", png);
		return png.toByteArray();
	}

}

package io.rowqueue.sample.contact;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.rowqueue.sample.OnDevPostgres;
import io.rowqueue.sample.RunningSample;
import org.junit.jupiter.api.Test;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class ContactImportTests extends RunningSample implements OnDevPostgres {

	@Test
	void anImportOfAHundredRowsCreatesAHundredContacts() {
		Object id = start(rows(1, 100)).get("id");

		awaitProgress(id, Map.of("id", id, "rows", 100, "done", 100, "refused", 0));
		assertThat(contacts(id)).isEqualTo(100);
	}

	@Test
	void theImportNamesTheLineOfABadRowAndImportsTheOthers() {
		Object id = start("name,email\n" + rows(201, 202) + "nobody,nowhere\n" + rows(203, 203)).get("id");

		awaitProgress(id, Map.of("id", id, "rows", 4, "done", 4, "refused", 1));
		assertThat(get("/api/imports/" + id)).containsEntry("errors", List.of("line 4: email is not a mail address"));
		assertThat(contacts(id)).isEqualTo(3);
	}

	@Test
	void theImportEndsWithOneMailThatSumsItUp() {
		Object id = start("name,email\n" + rows(301, 302) + "nobody,nowhere\n").get("id");

		await().untilAsserted(() -> assertThat(summaries(id))
			.containsExactly("3 rows, 1 of them refused\nline 4: email is not a mail address"));
	}

	@Test
	void aFileThatIsNotCsvFailsPermanentlyWithItsLine() {
		Object job = start("a,b\nc,\"d\n").get("job");

		await().untilAsserted(() -> assertThat(get("/api/jobs/" + job)).containsEntry("state", "FAILED")
			.containsEntry("attempt", 1)
			.doesNotContainKeys("payload", "uniqueKey", "lastError"));
		assertThat(error(job)).contains("The file is not CSV").contains("startline 2");
	}

	@Test
	void aFileThatIsNotTextIsRejected() {
		post(new byte[] { 'a', (byte) 0xff }).expectStatus().isBadRequest();
		post(new byte[] { 'a', 0 }).expectStatus().isBadRequest();
	}

	private void awaitProgress(Object id, Map<String, Object> progress) {
		await().untilAsserted(() -> assertThat(get("/api/imports/" + id)).containsEntry("progress", progress));
	}

	private Map<String, Object> start(String csv) {
		return post(csv).expectStatus()
			.isAccepted()
			.returnResult(new ParameterizedTypeReference<Map<String, Object>>() {
			})
			.getResponseBody();
	}

	private RestTestClient.ResponseSpec post(Object csv) {
		return this.http.post().uri("/api/imports").contentType(new MediaType("text", "csv")).body(csv).exchange();
	}

	private List<String> summaries(Object id) {
		return this.http.get()
			.uri("/api/inbox")
			.exchange()
			.returnResult(new ParameterizedTypeReference<List<Map<String, Object>>>() {
			})
			.getResponseBody()
			.stream()
			.filter((mail) -> ("Import " + id + " is complete").equals(mail.get("subject")))
			.map((mail) -> mail.get("text").toString().strip().replace("\r", ""))
			.toList();
	}

	private int contacts(Object importId) {
		return count("contact where import_id = " + importId);
	}

	private static String rows(int from, int to) {
		return IntStream.rangeClosed(from, to)
			.mapToObj((number) -> "Person %1$d,person%1$d@example.org\n".formatted(number))
			.collect(Collectors.joining());
	}

}

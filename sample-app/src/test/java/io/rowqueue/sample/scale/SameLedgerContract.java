package io.rowqueue.sample.scale;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.rowqueue.JobQueue;
import io.rowqueue.sample.OnDevPostgres;
import io.rowqueue.sample.RunningSample;
import io.rowqueue.sample.mail.WelcomeMail;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.MediaType;
import org.springframework.test.context.TestPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The sample does the same, wherever its jobs travel and rest: each user gets one mail,
 * each sign-up is one webhook, which is accepted in the third attempt, and each row of an
 * import is one contact.
 */
@TestPropertySource(properties = "sample.webhooks.limit-hosts=false")
abstract class SameLedgerContract extends RunningSample implements OnDevPostgres {

	private static final int SIGN_UPS = 6;

	private static final int MAILS = 9;

	private static final int CONTACTS = 12;

	@Autowired
	private JobQueue queue;

	@Test
	void theLedgerIsTheSame() {
		List<String> signedUp = emails("signed-up", SIGN_UPS);
		signedUp
			.forEach((email) -> post("/api/users", Map.of("name", "Ada", "email", email)).expectStatus().isCreated());
		List<String> mailed = emails("mailed", MAILS); // each in any shard
		List<Long> ids = mailed.stream()
			.map((email) -> this.queue.enqueue(new WelcomeMail("Grace", email).toJob()).id())
			.toList();
		assertThat(new TreeSet<>(ids)).as("ids").hasSize(MAILS);

		Object imported = importContacts(emails("imported", CONTACTS));

		Map<String, Long> once = Stream.concat(signedUp.stream(), mailed.stream())
			.collect(Collectors.toMap(Function.identity(), (email) -> 1L));
		await().untilAsserted(() -> assertThat(mails()).isEqualTo(new TreeMap<>(once)));
		await().untilAsserted(() -> assertThat(list("/demo/receiver")).hasSize(SIGN_UPS)
			.allSatisfy((webhook) -> assertThat(get("/api/jobs/" + webhook.get("id"))).containsEntry("attempt", 3)
				.containsEntry("state", "SUCCEEDED")));
		await().untilAsserted(() -> assertThat(summaries()).containsExactly(Map
			.entry("Import %s is complete".formatted(imported), "%d rows, 0 of them refused".formatted(CONTACTS))));
		assertThat(mails()).as("no mail was sent twice").isEqualTo(new TreeMap<>(once));
		assertThat(count("users")).isEqualTo(SIGN_UPS);
		assertThat(count("contact where import_id = " + imported)).isEqualTo(CONTACTS);
	}

	private static List<String> emails(String name, int number) {
		return IntStream.range(0, number).mapToObj((i) -> name + i + "@example.org").toList();
	}

	/** Its handler is transactional, and enqueues a batch. */
	private Object importContacts(List<String> emails) {
		String csv = "name,email\n"
				+ emails.stream().map((email) -> "Ada," + email + "\n").collect(Collectors.joining());
		Map<String, Object> started = this.http.post()
			.uri("/api/imports")
			.contentType(new MediaType("text", "csv"))
			.body(csv)
			.exchange()
			.expectStatus()
			.isAccepted()
			.returnResult(new ParameterizedTypeReference<Map<String, Object>>() {
			})
			.getResponseBody();
		return Objects.requireNonNull(started).get("id");
	}

	private List<Map.Entry<String, String>> summaries() {
		return list("/api/inbox").stream()
			.filter(SameLedgerContract::isSummary)
			.map((mail) -> Map.entry(String.valueOf(mail.get("subject")), String.valueOf(mail.get("text")).strip()))
			.toList();
	}

	private static boolean isSummary(Map<String, Object> mail) {
		return String.valueOf(mail.get("to")).startsWith("imports@");
	}

	private Map<String, Long> mails() {
		return list("/api/inbox").stream()
			.filter((mail) -> !isSummary(mail))
			.collect(Collectors.groupingBy((mail) -> String.valueOf(mail.get("to")), TreeMap::new,
					Collectors.counting()));
	}

}

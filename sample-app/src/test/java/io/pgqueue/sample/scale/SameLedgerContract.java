package io.pgqueue.sample.scale;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.pgqueue.JobQueue;
import io.pgqueue.sample.OnDevPostgres;
import io.pgqueue.sample.RunningSample;
import io.pgqueue.sample.mail.WelcomeMail;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The sample does the same, wherever its jobs travel and rest: each user gets one mail,
 * each sign-up is one webhook, which is accepted in the third attempt.
 */
@TestPropertySource(properties = "sample.webhooks.limit-hosts=false")
abstract class SameLedgerContract extends RunningSample implements OnDevPostgres {

	private static final int SIGN_UPS = 6;

	private static final int MAILS = 9;

	@Autowired
	private JobQueue queue;

	@Test
	void theLedgerIsTheSame() {
		List<String> signedUp = emails("signed-up", SIGN_UPS);
		signedUp
			.forEach((email) -> post("/api/users", Map.of("name", "Ada", "email", email)).expectStatus().isCreated());
		List<String> mailed = emails("mailed", MAILS);
		List<Long> ids = mailed.stream()
			.map((email) -> this.queue.enqueue(new WelcomeMail("Grace", email).toJob()).id())
			.toList();
		assertThat(new TreeSet<>(ids)).as("ids").hasSize(MAILS);

		Map<String, Long> once = Stream.concat(signedUp.stream(), mailed.stream())
			.collect(Collectors.toMap(Function.identity(), (email) -> 1L));
		await().untilAsserted(() -> assertThat(mails()).isEqualTo(new TreeMap<>(once)));
		await().untilAsserted(() -> assertThat(list("/demo/receiver")).hasSize(SIGN_UPS)
			.allSatisfy((webhook) -> assertThat(get("/api/jobs/" + webhook.get("id"))).containsEntry("attempt", 3)
				.containsEntry("state", "SUCCEEDED")));
		assertThat(mails()).as("no mail was sent twice").isEqualTo(new TreeMap<>(once));
		assertThat(count("users")).isEqualTo(SIGN_UPS);
	}

	private static List<String> emails(String name, int number) {
		return IntStream.range(0, number).mapToObj((i) -> name + i + "@example.org").toList();
	}

	private Map<String, Long> mails() {
		return list("/api/inbox").stream()
			.collect(Collectors.groupingBy((mail) -> String.valueOf(mail.get("to")), TreeMap::new,
					Collectors.counting()));
	}

}

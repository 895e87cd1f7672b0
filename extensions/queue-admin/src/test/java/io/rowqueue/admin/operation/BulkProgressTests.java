package io.rowqueue.admin.operation;

import io.rowqueue.masking.TextMasker;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What is shown of the filter of an operation on many jobs. */
class BulkProgressTests {

	private static final String HIDDEN = "******";

	@Test
	void textsOfTheFilterAreMasked() {
		for (String word : new String[] { "q", "key", "limitKey", "payload", "error", "-error" }) {
			assertThat(masked("state=failed&" + word + "=the+secret&type=a")).as(word)
				.isEqualTo("state=failed&" + word + "=" + HIDDEN + "&type=a");
		}
	}

	@Test
	void whatEveryoneMaySeeIsShown() {
		for (String filter : new String[] { "", "state=failed&-type=a&attempt=%3E%3D3", "error=9f3c51aa02be77d1",
				"-error=9f3c51aa02be77d1&type=q" }) {
			assertThat(masked(filter)).isEqualTo(filter);
		}
	}

	private static String masked(String filter) {
		return new BulkProgress(filter, 0, null, 0, 0, null).masked(TextMasker.ALL).filter().replace("%2A", "*");
	}

}

package io.rowqueue.dashboard.http;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Names in paths. */
class PathNamesTests {

	@ParameterizedTest
	@ValueSource(strings = { "mail", "a/b", "50%", "a%2Fb", "x;y=z", "what?", "#1", "a b", "..", ".", "~", "~2F",
			"ü€😀", "\u202e", "a\nb", "\\", "\u0000", "a+b", "host:example.org", "-_." })
	void everyNameComesBack(String name) {
		String segment = PathNames.encode(name);
		assertThat(segment).matches("[A-Za-z0-9._:~-]+").isNotIn(".", "..");
		assertThat(PathNames.decode(segment)).contains(name);
	}

	@Test
	void ordinaryNamesStayReadable() {
		assertThat(PathNames.encode("send-mail.v2_host:a")).isEqualTo("send-mail.v2_host:a");
		assertThat(PathNames.encode("a/b")).isEqualTo("a~2Fb");
	}

	/** Some proxies encode the tilde, too. */
	@Test
	void percentEncodingOnTheWayIsUndone() {
		assertThat(PathNames.decode("a%7E2Fb")).contains("a/b");
	}

	@ParameterizedTest
	@ValueSource(strings = { "~", "~2", "~G0", "~-1", "%", "%4", "~FF", "a~2" })
	void whatIsNotWrittenSoIsRefused(String segment) {
		assertThat(PathNames.decode(segment)).isEmpty();
	}

}

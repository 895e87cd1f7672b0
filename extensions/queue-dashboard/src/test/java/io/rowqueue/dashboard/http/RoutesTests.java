package io.rowqueue.dashboard.http;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Rules of the application and of proxies name the words of paths as they are sent. */
class RoutesTests {

	private static final Routes ROUTES = new Routes(
			List.of(Route.get("jobs/{id}/payload", (call) -> ""), Route.get("queues/{name}", (call) -> "")));

	@Test
	void aNameInAPathIsDecoded() {
		assertThat(ROUTES.match("GET", "queues/a~2Fb").variables()).containsEntry("name", "a/b");
		assertThat(ROUTES.match("GET", "queues/a%20b").variables()).containsEntry("name", "a b");
	}

	@ParameterizedTest
	@ValueSource(strings = { "jobs/2/~70ayload", "~6Aobs/2/payload", "jobs/2/%70ayload", "jobs/2/payload~" })
	void aWordOfARouteHasOneWriting(String path) {
		assertThatExceptionOfType(ProblemException.class).isThrownBy(() -> ROUTES.match("GET", path))
			.satisfies((ex) -> assertThat(ex.problem().status()).isEqualTo(404));
	}

	@ParameterizedTest
	@ValueSource(strings = { "queues/~73ecret", "queues/secret~2Edone", "queues/a b~2Fc" })
	void aNameHasOneWriting(String path) {
		assertThatExceptionOfType(ProblemException.class).isThrownBy(() -> ROUTES.match("GET", path))
			.satisfies((ex) -> assertThat(ex.problem().status()).isEqualTo(404));
	}

}

package io.rowqueue.dashboard.api;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import io.rowqueue.dashboard.DashboardCaller;
import io.rowqueue.dashboard.http.ProblemException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Searches are bounded for a caller and for the process. */
class SearchQuotaTests {

	private final AtomicLong nanos = new AtomicLong();

	private final SearchQuota quota = new SearchQuota(this.nanos::get);

	@Test
	void aCallerStartsAtMostThirtySearchesAMinute() {
		for (int i = 0; i < SearchQuota.PER_MINUTE; i++) {
			assertThat(this.quota.search(new Caller("ada"), () -> "found")).isEqualTo("found");
		}
		assertThatExceptionOfType(ProblemException.class)
			.isThrownBy(() -> this.quota.search(new Caller("ada"), () -> "found"))
			.satisfies((ex) -> {
				assertThat(ex.problem().status()).isEqualTo(429);
				assertThat(ex.problem().retryAfter()).isEqualTo(61);
			});
		assertThat(this.quota.search(new Caller("bob"), () -> "found")).isEqualTo("found");
		this.nanos.addAndGet(Duration.ofSeconds(61).toNanos());
		assertThat(this.quota.search(new Caller("ada"), () -> "found")).isEqualTo("found");
	}

	@Test
	void twoRunAtOnce() {
		assertThatExceptionOfType(ProblemException.class)
			.isThrownBy(() -> this.quota.search(new Caller("a"),
					() -> this.quota.search(new Caller("b"), () -> this.quota.search(new Caller("c"), () -> "third"))))
			.satisfies((ex) -> assertThat(ex.problem().type()).endsWith("busy"));
		assertThat(this.quota.search(new Caller("a"), () -> this.quota.search(new Caller("b"), () -> "second")))
			.isEqualTo("second");
	}

	@Test
	void callersOfWhomNothingIsKnownShareAQuota() {
		for (int i = 0; i < SearchQuota.PER_MINUTE; i++) {
			assertThat(this.quota.search(new Caller(null, null), () -> "found")).isEqualTo("found");
		}
		assertThatExceptionOfType(ProblemException.class)
			.isThrownBy(() -> this.quota.search(new Caller(null, null), () -> "found"));
	}

	private record Caller(@Nullable String name, @Nullable String address) implements DashboardCaller {

		Caller(String name) {
			this(name, "10.0.0.7");
		}

		@Override
		public boolean isForwarded() {
			return false;
		}

		@Override
		public boolean isInRole(String role) {
			return false;
		}

		@Override
		public @Nullable String header(String header) {
			return null;
		}

	}

}

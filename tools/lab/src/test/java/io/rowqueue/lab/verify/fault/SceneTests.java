package io.rowqueue.lab.verify.fault;

import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class SceneTests {

	private final Scene scene = new Scene(null, null, null, new SplittableRandom(1), Leases.of(Duration.ofSeconds(5)),
			Duration.ofSeconds(5));

	@Test
	@Timeout(10)
	void aFaultWithoutATargetBreaksTheRound() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.scene.find("a busy worker", Duration.ofMillis(50), Optional::empty))
			.withMessageContaining("a busy worker");
	}

	@Test
	void aSceneRetriesUntilItFindsATarget() throws Exception {
		AtomicInteger looks = new AtomicInteger();
		int found = this.scene.find("a third look", Duration.ofSeconds(10),
				() -> Optional.of(looks.incrementAndGet()).filter((look) -> look == 3));
		assertThat(found).isEqualTo(3);
	}

}

package io.rowqueue.kafka;

import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReconnectSettingsTests {

	@Test
	void clientsTryTheBrokersThatTheyKnowUnlessTheApplicationWantsAnotherStrategy() {
		assertThat(applied(Map.of())).containsExactly(Map.entry("metadata.recovery.strategy", "none"));
		assertThat(applied(Map.of("metadata.recovery.strategy", "rebootstrap")))
			.containsExactly(Map.entry("metadata.recovery.strategy", "rebootstrap"));
	}

	private static Map<String, Object> applied(Map<String, Object> ofApplication) {
		Map<String, Object> settings = new HashMap<>(ofApplication);
		ReconnectSettings.apply(settings);
		return settings;
	}

}

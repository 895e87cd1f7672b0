package io.rowqueue.kafka;

import java.util.concurrent.ExecutionException;

import io.rowqueue.transport.TransportException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What the application cannot get over by waiting prevents its start. */
class KafkaErrorsTests {

	@Test
	void aMissingPrivilegeIsRefusedWithTheRemedy() {
		assertRefused(new GroupAuthorizationException("mails"), "privileges");
	}

	@Test
	void aLoginThatFailsIsRefusedWithTheRemedy() {
		assertRefused(new SaslAuthenticationException("Invalid password"), "spring.kafka.security.protocol");
	}

	@Test
	void aBrokerWithoutShareGroupsIsRefusedWithTheRemedy() {
		assertRefused(new UnsupportedVersionException("share groups"), "rowqueue.kafka.group-type=consumer");
	}

	@Test
	void aTimeoutIsNoRefusal() {
		assertThat(error(new TimeoutException("no answer"))).isNotInstanceOf(BrokerRefusalException.class)
			.hasMessage("The topic mails cannot be created: no answer");
	}

	private static void assertRefused(Exception cause, String remedy) {
		assertThat(error(cause)).isInstanceOf(BrokerRefusalException.class)
			.hasMessageContaining("The topic mails cannot be created")
			.hasMessageContaining(remedy);
	}

	private static TransportException error(Exception cause) {
		return KafkaErrors.of("The topic mails cannot be created", new ExecutionException(cause));
	}

}

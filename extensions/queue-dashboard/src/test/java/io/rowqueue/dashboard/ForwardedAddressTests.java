package io.rowqueue.dashboard;

import java.net.http.HttpResponse;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.actuate.audit.AuditEvent;

import static org.assertj.core.api.Assertions.assertThat;

/** Behind a proxy, the address of the client is the one that the proxy has sent. */
class ForwardedAddressTests {

	private static final String[] FORWARDED = { "X-Forwarded-For", "10.0.0.7", Hosts.LEVEL, "everything" };

	@ParameterizedTest
	@EnumSource
	void theAddressOfTheClientIsAuditedAndHasAQuota(Host.Kind kind) {
		try (Host host = Host.start(kind, new Class<?>[] { Hosts.LevelsByHeader.class, Hosts.AuditedEvents.class },
				"server.forward-headers-strategy=framework")) {
			HttpResponse<String> paused = host.post("/rowqueue/api/queues/mail", "{\"action\": \"pause\"}", FORWARDED);
			assertThat(paused.statusCode()).as(paused.body()).isEqualTo(200);
			assertThat(host.bean(Hosts.AuditedEvents.class).events()).extracting(AuditEvent::getData)
				.last()
				.extracting("remoteAddress")
				.isEqualTo("10.0.0.7");
			HttpResponse<String> found = host.get("/rowqueue/api/jobs?q=text", FORWARDED);
			assertThat(found.statusCode()).as(found.body()).isEqualTo(200);
		}
	}

}

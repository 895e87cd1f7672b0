package io.rowqueue.dashboard;

import java.net.http.HttpResponse;
import java.util.List;

import io.rowqueue.dashboard.http.PathNames;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Queues may have any name. */
class NamesTests {

	private static final List<String> NAMES = List.of("a/b", "../etc/passwd", "..", "50%", "a%2Fb", "x;y=z", "what?",
			"#1", "with space", "ü€😀", "\u202eevil", "<img src=x onerror=alert(1)>", "'; drop table job; --", "~2F",
			"\\", "${jndi:ldap://x}", "line\nbreak");

	@ParameterizedTest
	@EnumSource
	void everyNameIsFoundByItsPath(Host.Kind kind) {
		Host host = Hosts.of(kind);
		for (String name : NAMES) {
			String path = "/rowqueue/api/queues/" + PathNames.encode(name);
			HttpResponse<String> paused = host.post(path, "{\"action\": \"pause\"}", Hosts.LEVEL, "admin");
			assertThat(paused.statusCode()).as(name + ": " + paused.body()).isEqualTo(200);
			HttpResponse<String> found = host.get(path, Hosts.LEVEL, "read");
			assertThat(found.statusCode()).as(name).isEqualTo(200);
			assertThat(Host.json(found).get("queue").get("name").asString()).isEqualTo(name);
			assertThat(host.get("/rowqueue/queues/" + PathNames.encode(name), Hosts.LEVEL, "read").statusCode())
				.isEqualTo(200);
			assertThat(host.post(path, "{\"action\": \"resume\"}", Hosts.LEVEL, "admin").statusCode()).isEqualTo(200);
		}
	}

}

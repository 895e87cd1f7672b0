package io.rowqueue.sample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

class LocalRequestsFilterTests {

	private final MockHttpServletRequest request = new MockHttpServletRequest("POST", "/api/pictures");

	LocalRequestsFilterTests() {
		this.request.setLocalAddr("127.0.0.1");
		this.request.setServerName("localhost");
	}

	@ParameterizedTest
	@ValueSource(strings = { "localhost", "127.0.0.1", "[::1]" })
	void programsOfThisMachineAreServed(String name) throws Exception {
		this.request.setServerName(name);
		assertThat(status()).isEqualTo(200);
	}

	@Test
	void aNameOfAnotherSiteThatLeadsHereIsRefused() throws Exception {
		this.request.setMethod("GET");
		this.request.setServerName("evil.example");
		assertThat(status()).isEqualTo(403);
	}

	@Test
	void anyNameLeadsToAnApplicationThatListensElsewhere() throws Exception {
		this.request.setLocalAddr("10.1.2.3");
		this.request.setServerName("sample.example");
		assertThat(status()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "cross-site", "same-site" })
	void aPageOfAnotherSiteChangesNothing(String site) throws Exception {
		this.request.addHeader("Sec-Fetch-Site", site);
		assertThat(status()).isEqualTo(403);
		this.request.setMethod("GET");
		assertThat(status()).isEqualTo(200);
	}

	@Test
	void aPageOfTheApplicationIsServed() throws Exception {
		this.request.addHeader("Sec-Fetch-Site", "same-origin");
		assertThat(status()).isEqualTo(200);
	}

	private int status() throws Exception {
		MockHttpServletResponse response = new MockHttpServletResponse();
		new LocalRequestsFilter().doFilter(this.request, response, new MockFilterChain());
		return response.getStatus();
	}

}

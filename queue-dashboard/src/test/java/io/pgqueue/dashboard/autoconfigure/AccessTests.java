package io.pgqueue.dashboard.autoconfigure;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import io.pgqueue.dashboard.DashboardAccess;
import io.pgqueue.dashboard.DashboardCaller;
import io.pgqueue.dashboard.DashboardRights;
import io.pgqueue.dashboard.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.web.filter.ForwardedHeaderFilter;
import org.springframework.web.server.adapter.ForwardedHeaderTransformer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Who gets in, and how far. */
class AccessTests {

	private static final Caller LOCAL = new Caller(null, "127.0.0.1", Set.of(), Map.of("Host", "localhost:8080"));

	private static final Caller ADA = new Caller("ada", "10.0.0.7", Set.of("OPS"), Map.of("Host", "shop.example.org"));

	@ParameterizedTest
	@CsvSource({ "127.0.0.1,localhost", "127.0.0.1,localhost:8080", "127.1.2.3,127.0.0.1:80", "::1,[::1]:8080",
			"0:0:0:0:0:0:0:1,[::1]", "127.0.0.1,LOCALHOST:1" })
	void requestsOfThisMachineAreLocal(String address, String host) {
		assertThat(isLocal(address, host, null)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "10.0.0.7", "192.168.1.1", "128.0.0.1", "::2", "", "localhost", "fe80::1" })
	void anotherAddressIsNotLocal(String address) {
		assertThat(isLocal(address, "localhost", null)).isFalse();
	}

	/** A page elsewhere may have had its own name resolved to this machine. */
	@ParameterizedTest
	@ValueSource(strings = { "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "[::2]",
			"localhost:x:y", "shop.example.org:80" })
	void anotherHostIsNotLocal(String host) {
		assertThat(isLocal("127.0.0.1", host, null)).isFalse();
	}

	/** Behind a proxy on this machine every request comes from it. */
	@ParameterizedTest
	@ValueSource(strings = { "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto",
			"X-Forwarded-Prefix", "X-Real-IP", "Via", "True-Client-IP" })
	void aRequestThatAProxyPassedOnIsNotLocal(String header) {
		assertThat(isLocal("127.0.0.1", "localhost", header)).isFalse();
	}

	/** The address may be what a client has sent in a header. */
	@Test
	void nothingIsLocalWhereHeadersReplaceTheAddress() {
		assertThat(new LocalRequests(true).isLocal(LOCAL)).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "native,true", "framework,true", "FRAMEWORK,true", "none,false", "NONE,false" })
	void theStrategyDecidesWhetherHeadersReplaceTheAddress(String strategy, boolean used) {
		assertThat(ForwardedHeaders.areUsed(
				new MockEnvironment().withProperty("server.forward-headers-strategy", strategy),
				new StaticListableBeanFactory()))
			.isEqualTo(used);
	}

	@Test
	void withoutAStrategyThePlatformDecides() {
		MockEnvironment environment = new MockEnvironment();
		assertThat(ForwardedHeaders.areUsed(environment, new StaticListableBeanFactory())).isFalse();
		environment.setProperty("spring.main.cloud-platform", "kubernetes");
		assertThat(ForwardedHeaders.areUsed(environment, new StaticListableBeanFactory())).isTrue();
		environment.setProperty("server.forward-headers-strategy", "none");
		assertThat(ForwardedHeaders.areUsed(environment, new StaticListableBeanFactory())).isFalse();
	}

	@Test
	void filtersAndTomcatsOwnSettingsCountAsWell() {
		StaticListableBeanFactory servlet = new StaticListableBeanFactory();
		servlet.addBean("filter", new ForwardedHeaderFilter());
		StaticListableBeanFactory reactive = new StaticListableBeanFactory();
		reactive.addBean("transformer", new ForwardedHeaderTransformer());
		assertThat(ForwardedHeaders.areUsed(new MockEnvironment(), servlet)).isTrue();
		assertThat(ForwardedHeaders.areUsed(new MockEnvironment(), reactive)).isTrue();
		assertThat(ForwardedHeaders.areUsed(
				new MockEnvironment().withProperty("server.tomcat.remoteip.remote-ip-header", "x-forwarded-for"),
				new StaticListableBeanFactory()))
			.isTrue();
	}

	@Test
	void byDefaultThisMachineMayDoAllExceptSeePayloads() {
		assertThat(rights(LOCAL)).isEqualTo(DashboardRights.of(Level.ADMIN));
		assertThat(rights(ADA)).isEqualTo(DashboardRights.NONE);
	}

	@Test
	void rolesDecideAsSoonAsOneIsSet() {
		assertThat(rights(ADA, "roles.operate=OPS")).isEqualTo(DashboardRights.of(Level.OPERATE));
		assertThat(rights(ADA, "roles.operate=OPS", "roles.admin=OPS,ROOT")).isEqualTo(DashboardRights.of(Level.ADMIN));
		assertThat(rights(ADA, "roles.read=SUPPORT")).isEqualTo(DashboardRights.NONE);
		assertThat(rights(LOCAL, "roles.read=SUPPORT")).isEqualTo(DashboardRights.NONE);
	}

	@Test
	void rolesWithoutARoleAdmitNobody() {
		assertThat(rights(ADA, "allow=roles")).isEqualTo(DashboardRights.NONE);
		assertThat(rights(LOCAL, "allow=roles")).isEqualTo(DashboardRights.NONE);
	}

	@Test
	void everyPrincipalIsAdmittedIfThatIsAskedFor() {
		assertThat(rights(ADA, "allow=authenticated")).isEqualTo(DashboardRights.of(Level.ADMIN));
		assertThat(rights(ADA, "allow=authenticated", "roles.admin=ROOT")).isEqualTo(DashboardRights.of(Level.READ));
		assertThat(rights(LOCAL, "allow=authenticated")).isEqualTo(DashboardRights.NONE);
	}

	@Test
	void everyoneIsAdmittedIfThatIsAskedFor() {
		Caller stranger = new Caller(null, "10.0.0.8", Set.of(), Map.of());
		assertThat(rights(stranger, "allow=everyone")).isEqualTo(DashboardRights.of(Level.ADMIN));
		assertThat(rights(stranger, "allow=everyone", "roles.operate=OPS")).isEqualTo(DashboardRights.of(Level.READ));
		assertThat(rights(ADA, "allow=everyone", "roles.operate=OPS")).isEqualTo(DashboardRights.of(Level.OPERATE));
	}

	@Test
	void accessBoundsWhatEverybodyGets() {
		assertThat(rights(LOCAL, "access=read-only")).isEqualTo(DashboardRights.of(Level.READ));
		assertThat(rights(LOCAL, "access=none")).isEqualTo(DashboardRights.NONE);
		DashboardAccess bean = (caller) -> DashboardRights.of(Level.ADMIN).withPayloads();
		assertThat(gate(bean, "access=read-only").rights(ADA)).isEqualTo(DashboardRights.of(Level.READ).withPayloads());
		assertThat(gate(bean, "access=none").rights(ADA)).isEqualTo(DashboardRights.NONE);
	}

	@Test
	void payloadsAreShownToThoseWhoMaySeeThem() {
		assertThat(rights(LOCAL, "show-payloads=always").payloads()).isTrue();
		assertThat(rights(LOCAL, "show-payloads=when-authorized").payloads()).isFalse();
		assertThat(rights(ADA, "roles.read=OPS", "show-payloads=when-authorized").payloads()).isTrue();
		assertThat(rights(ADA, "roles.read=OPS", "roles.payloads=GDPR", "show-payloads=when-authorized").payloads())
			.isFalse();
		assertThat(rights(ADA, "roles.read=OPS", "roles.payloads=OPS", "show-payloads=when-authorized").payloads())
			.isTrue();
		assertThat(rights(ADA, "roles.read=OPS", "roles.payloads=OPS").payloads()).isFalse();
		assertThat(rights(ADA, "roles.payloads=OPS", "allow=roles", "show-payloads=always").payloads()).isFalse();
	}

	/** Where signing in would not help, nothing shows that there is a dashboard. */
	@Test
	void whoIsRefusedIsToldWhatHelps() {
		Caller anonymous = new Caller(null, "10.0.0.8", Set.of(), Map.of());
		assertThat(gate(null).refusal(anonymous)).isNull();
		assertThat(gate(null, "allow=roles", "access=none").refusal(ADA)).isNull();
		assertThat(gate(null, "roles.read=SUPPORT").refusal(anonymous)).contains("Sign in");
		assertThat(gate(null, "roles.read=SUPPORT").refusal(ADA)).contains("pgqueue.dashboard.roles");
		assertThat(gate((caller) -> DashboardRights.NONE).refusal(ADA)).contains("does not allow");
	}

	@ParameterizedTest
	@ValueSource(strings = { "path=pgqueue", "path=/", "path=/a/", "path=/a b", "path=/a;b", "connections=0",
			"connections=21", "frame-ancestors=*; script-src *" })
	void settingsThatMakeNoSenseAreRefused(String property) {
		assertThatThrownBy(() -> properties(property)).rootCause().hasMessageStartingWith("pgqueue.dashboard.");
	}

	private static boolean isLocal(String address, String host, @Nullable String proxyHeader) {
		Map<String, String> headers = new HashMap<>(Map.of("Host", host));
		if (proxyHeader != null) {
			headers.put(proxyHeader, "1");
		}
		return new LocalRequests(false).isLocal(new Caller(null, address, Set.of(), headers));
	}

	private static DashboardRights rights(Caller caller, String... properties) {
		return gate(null, properties).rights(caller);
	}

	private static AccessGate gate(@Nullable DashboardAccess bean, String... settings) {
		DashboardProperties properties = properties(settings);
		return new AccessGate((bean != null) ? bean : new PropertyAccess(properties, new LocalRequests(false)),
				properties);
	}

	private static DashboardProperties properties(String... settings) {
		Map<String, String> values = new HashMap<>();
		for (String setting : settings) {
			int equals = setting.indexOf('=');
			values.put("pgqueue.dashboard." + setting.substring(0, equals), setting.substring(equals + 1));
		}
		return new Binder(new MapConfigurationPropertySource(values)).bindOrCreate("pgqueue.dashboard",
				DashboardProperties.class);
	}

	private record Caller(@Nullable String name, @Nullable String address, Set<String> roles,
			Map<String, String> headers) implements DashboardCaller {

		@Override
		public boolean isInRole(String role) {
			return this.roles.contains(role);
		}

		@Override
		public @Nullable String header(String name) {
			return this.headers.get(name);
		}

	}

}

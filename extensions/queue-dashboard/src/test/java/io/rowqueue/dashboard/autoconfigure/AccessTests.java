package io.rowqueue.dashboard.autoconfigure;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rowqueue.dashboard.DashboardAccess;
import io.rowqueue.dashboard.DashboardCaller;
import io.rowqueue.dashboard.DashboardRights;
import io.rowqueue.dashboard.Level;
import io.rowqueue.dashboard.api.health.AboutDashboard;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.mock.web.MockHttpServletRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Who gets in, and how far. */
class AccessTests {

	private static final String TOKEN = "0123456789abcdef0123";

	private static final Caller LOCAL = new Caller(null, "127.0.0.1", Set.of(),
			Map.of("Host", "localhost:8080", "Authorization", "Bearer " + TOKEN));

	private static final Caller ADA = new Caller("ada", "10.0.0.7", Set.of("OPS"), Map.of("Host", "shop.example.org"));

	@ParameterizedTest
	@CsvSource({ "127.0.0.1,localhost", "127.0.0.1,localhost:8080", "127.1.2.3,127.0.0.1:80", "::1,[::1]:8080",
			"0:0:0:0:0:0:0:1,[::1]", "127.0.0.1,LOCALHOST:1" })
	void holdersOfTheTokenOnThisMachineAreAdmitted(String address, String host) {
		assertThat(admits(address, host, false)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "10.0.0.7", "192.168.1.1", "128.0.0.1", "::2", "", "localhost", "fe80::1" })
	void holdersWithAnotherAddressAreNot(String address) {
		assertThat(admits(address, "localhost", false)).isFalse();
		assertThat(admits(address, "localhost", false, "allow=token")).isTrue();
	}

	/** A page elsewhere may have had its own name resolved to this machine. */
	@ParameterizedTest
	@ValueSource(strings = { "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "[::2]",
			"localhost:x:y", "shop.example.org:80" })
	void anotherNameOfTheServerIsNotAnswered(String host) {
		assertThat(admits("127.0.0.1", host, false)).isFalse();
		assertThat(admits("127.0.0.1", host, false, "allow=token")).isFalse();
	}

	@Test
	void theServerAnswersTheNamesThatItIsGiven() {
		assertThat(admits("127.0.0.1", "Box.example.org:8080", false, "hosts=box.example.org,localhost")).isTrue();
		assertThat(admits("127.0.0.1", "127.0.0.1", false, "hosts=box.example.org,localhost")).isFalse();
		assertThat(admits("127.0.0.1", "evil.example", false, "hosts=*")).isTrue();
		assertThat(rights(ADA, "roles.read=OPS").level()).isEqualTo(Level.READ);
		assertThat(rights(ADA, "roles.read=OPS", "hosts=localhost")).isEqualTo(DashboardRights.NONE);
	}

	/** Behind a proxy on this machine every request comes from it. */
	@Test
	void holdersBehindAProxyAreNotOnThisMachine() {
		assertThat(admits("127.0.0.1", "localhost", true)).isFalse();
		assertThat(admits("127.0.0.1", "localhost", true, "allow=token")).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto",
			"X-Forwarded-Prefix", "X-Real-IP", "Via", "True-Client-IP" })
	void eachHeaderOfAProxyShowsThatThereIsOne(String header) {
		MockHttpServletRequest request = new MockHttpServletRequest();
		assertThat(new ServletCaller(request).isForwarded()).isFalse();
		request.addHeader(header, "1");
		assertThat(new ServletCaller(request).isForwarded()).isTrue();
	}

	@Test
	void withoutARoleAHolderOfTheTokenMayDoAllAndSeesPayloads() {
		assertThat(rights(LOCAL)).isEqualTo(DashboardRights.of(Level.ADMIN).withPayloads());
		assertThat(rights(LOCAL.without("Authorization"))).isEqualTo(DashboardRights.NONE);
		assertThat(rights(LOCAL, "token=0123456789abcdef0124")).isEqualTo(DashboardRights.NONE);
		assertThat(rights(ADA)).isEqualTo(DashboardRights.NONE);
	}

	@Test
	void aProcessHasATokenOfItsOwnUnlessOneIsSet() {
		AccessToken random = new AccessToken(null);
		assertThat(random.value()).hasSizeGreaterThanOrEqualTo(32).matches("[A-Za-z0-9_-]+");
		assertThat(new AccessToken(null).value()).isEqualTo(random.value());
		assertThat(random.isRandom()).isTrue();
		assertThat(new AccessToken(TOKEN).value()).isEqualTo(TOKEN);
	}

	/** Cookies of a host are those of all its ports. */
	@Test
	void theCookieStandsForTheTokenAndDoesNotShowIt() {
		AccessToken token = new AccessToken(TOKEN);
		String cookie = token.cookie("localhost:8080", false);
		assertThat(cookie).matches("rowqueue-dashboard-8080=[A-Za-z0-9_-]{43}; HttpOnly; SameSite=Strict")
			.doesNotContain(TOKEN);
		assertThat(token.cookie("localhost", true))
			.matches("rowqueue-dashboard=[^;]+; HttpOnly; SameSite=Strict; Secure");
		assertThat(token.cookie("localhost:8;x=y", false)).startsWith("rowqueue-dashboard=");
		String pair = cookie.substring(0, cookie.indexOf(';'));
		assertThat(token.isHeldBy(caller("Cookie", "rowqueue-dashboard-9090=other; a=b;" + pair))).isTrue();
		assertThat(token.isHeldBy(caller("Cookie", "a=b; other" + pair))).isFalse();
		assertThat(token.isHeldBy(caller("Cookie", pair.substring(0, pair.length() - 1)))).isFalse();
		assertThat(token.isHeldBy(caller("Cookie", "rowqueue-dashboard-8080=" + TOKEN))).isFalse();
		assertThat(new AccessToken("0123456789abcdef0124").isHeldBy(caller("Cookie", pair))).isFalse();
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
		assertThat(rights(ADA, "allow=authenticated")).isEqualTo(DashboardRights.of(Level.READ));
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
		assertThat(rights(LOCAL, "access=read-only")).isEqualTo(DashboardRights.of(Level.READ).withPayloads());
		assertThat(rights(LOCAL, "access=none")).isEqualTo(DashboardRights.NONE);
		DashboardAccess bean = (caller) -> DashboardRights.of(Level.ADMIN).withPayloads();
		assertThat(gate(bean, "access=read-only").rights(ADA)).isEqualTo(DashboardRights.of(Level.READ).withPayloads());
		assertThat(gate(bean, "access=none").rights(ADA)).isEqualTo(DashboardRights.NONE);
	}

	@Test
	void payloadsAreShownToThoseWhoMaySeeThem() {
		assertThat(rights(LOCAL, "show-payloads=always").payloads()).isTrue();
		assertThat(rights(LOCAL, "show-payloads=when-authorized").payloads()).isTrue();
		assertThat(rights(LOCAL, "show-payloads=when-authorized", "allow=local", "roles.payloads=GDPR").payloads())
			.isFalse();
		assertThat(rights(LOCAL, "show-payloads=never").payloads()).isFalse();
		assertThat(rights(ADA, "allow=everyone").payloads()).isFalse();
		assertThat(rights(ADA, "roles.read=OPS", "show-payloads=when-authorized").payloads()).isTrue();
		assertThat(rights(ADA, "roles.read=OPS", "roles.payloads=GDPR", "show-payloads=when-authorized").payloads())
			.isFalse();
		assertThat(rights(ADA, "roles.read=OPS", "roles.payloads=OPS", "show-payloads=when-authorized").payloads())
			.isTrue();
		assertThat(rights(ADA, "roles.read=OPS", "roles.payloads=OPS").payloads()).as("a role for them says so")
			.isTrue();
		assertThat(rights(ADA, "roles.read=OPS", "roles.payloads=GDPR").payloads()).isFalse();
		assertThat(rights(ADA, "roles.read=OPS").payloads()).isFalse();
		assertThat(rights(ADA, "roles.payloads=OPS", "allow=roles", "show-payloads=always").payloads()).isFalse();
	}

	/** Where signing in would not help, nothing shows that there is a dashboard. */
	@Test
	void whoIsRefusedIsToldWhatHelps() {
		Caller anonymous = new Caller(null, "10.0.0.8", Set.of(), Map.of());
		assertThat(gate(null).refusal(anonymous)).isNull();
		assertThat(gate(null, "allow=roles", "access=none").refusal(ADA)).isNull();
		assertThat(gate(null, "roles.read=SUPPORT").refusal(anonymous)).contains("Sign in");
		assertThat(gate(null, "roles.read=SUPPORT").refusal(ADA)).contains("rowqueue.dashboard.roles");
		assertThat(gate((caller) -> DashboardRights.NONE).refusal(ADA)).contains("does not allow");
	}

	@ParameterizedTest
	@ValueSource(strings = { "path=rowqueue", "path=/", "path=/a/", "path=/a b", "path=/a;b", "connections=0",
			"connections=21", "frame-ancestors=*; script-src *", "token=secret", "token=0123456789 abcdef0123",
			"hosts=localhost:8080", "hosts=http://localhost" })
	void settingsThatMakeNoSenseAreRefused(String property) {
		assertThatThrownBy(() -> properties(property)).rootCause().hasMessageStartingWith("rowqueue.dashboard.");
	}

	private static boolean admits(String address, String host, boolean forwarded, String... properties) {
		return rights(new Caller(null, address, Set.of(), Map.of("Host", host, "Authorization", "Bearer " + TOKEN),
				forwarded), properties)
			.level() != Level.NONE;
	}

	private static Caller caller(String header, String value) {
		return new Caller(null, "127.0.0.1", Set.of(), Map.of(header, value));
	}

	private static DashboardRights rights(Caller caller, String... properties) {
		return gate(null, properties).rights(caller);
	}

	private static AccessGate gate(@Nullable DashboardAccess bean, String... settings) {
		DashboardProperties properties = properties(settings);
		return new AccessGate(bean, properties,
				new AccessToken((properties.token() != null) ? properties.token() : TOKEN),
				new AuditTrail(new AboutDashboard(null, null, null, false, "local", List.of()), (event) -> {
				}));
	}

	private static DashboardProperties properties(String... settings) {
		Map<String, String> values = new HashMap<>();
		for (String setting : settings) {
			int equals = setting.indexOf('=');
			values.put("rowqueue.dashboard." + setting.substring(0, equals), setting.substring(equals + 1));
		}
		return new Binder(new MapConfigurationPropertySource(values)).bindOrCreate("rowqueue.dashboard",
				DashboardProperties.class);
	}

	private record Caller(@Nullable String name, @Nullable String address, Set<String> roles,
			Map<String, String> headers, boolean isForwarded) implements DashboardCaller {

		Caller(@Nullable String name, @Nullable String address, Set<String> roles, Map<String, String> headers) {
			this(name, address, roles, headers, false);
		}

		Caller without(String header) {
			Map<String, String> others = new HashMap<>(this.headers);
			others.remove(header);
			return new Caller(this.name, this.address, this.roles, others, this.isForwarded);
		}

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

package io.rowqueue.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.cli.dashboard.DashboardServer;
import io.rowqueue.cli.dashboard.ServedDatabase;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.PortInUseException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Serves the dashboard of one or more databases until it is interrupted. */
@Command(name = "dashboard", mixinStandardHelpOptions = true, description = {
		"Serves the dashboard of one or more databases until it is interrupted, also while no application runs.",
		"It runs no jobs, and changes nothing but what somebody does in the dashboard." })
final class DashboardCommand implements Callable<Integer> {

	private static final Pattern NAMED = Pattern.compile("([A-Za-z0-9._-]+)=(.*)");

	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*");

	/** Paths of the page that lists the databases. */
	private static final Set<String> TAKEN = Set.of("api", "assets", "shards");

	private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~-]{20,}");

	private static final Pattern HOST = Pattern.compile("[^/:\\s]+|\\[[0-9A-Fa-f:.]+]");

	private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(5);

	@Option(names = { "-u", "--url" }, paramLabel = "[NAME=]URL", defaultValue = "${env:ROWQUEUE_URL}", required = true,
			description = { "A database, such as jdbc:postgresql://localhost:5432/shop, or with the name of its pages,"
					+ " shop=jdbc:… (or set ROWQUEUE_URL). Can be repeated." })
	private List<String> urls = new ArrayList<>();

	@Mixin
	private Connector connector = new Connector();

	@Option(names = "--port", defaultValue = "8090",
			description = "The port; ${DEFAULT-VALUE} by default, 0 for any that is free.")
	private int port;

	@Option(names = "--address", defaultValue = "127.0.0.1",
			description = "The address to listen at; ${DEFAULT-VALUE} by default. With one that other machines reach, the"
					+ " token opens the dashboard for them, too.")
	private String address = "127.0.0.1";

	@Option(names = "--host", paramLabel = "NAME",
			description = "A name by which browsers reach the dashboard besides localhost. Can be repeated.")
	private List<String> hosts = new ArrayList<>();

	@Option(names = "--token", defaultValue = "${env:ROWQUEUE_DASHBOARD_TOKEN}",
			description = "The token that opens the dashboard, 20 characters or more (or better set"
					+ " ROWQUEUE_DASHBOARD_TOKEN). By default a random one, which is printed.")
	private @Nullable String token;

	@Option(names = "--read-only", description = "Has no actions.")
	private boolean readOnly;

	@Option(names = "--measure",
			description = "Measures the queues as their applications do, for current numbers while no"
					+ " application runs. This writes one row to each database every few seconds.")
	private boolean measure;

	@Spec
	private CommandSpec spec = CommandSpec.create();

	@Override
	public Integer call() throws InterruptedException {
		try (DashboardServer server = start()) {
			new CountDownLatch(1).await();
			return QueueCommand.OK;
		}
		catch (PortInUseException ex) {
			this.spec.commandLine()
				.getErr()
				.println("Port " + this.port + " is in use. Choose another one with --port.");
			return QueueCommand.PROBLEM;
		}
	}

	/** Starts the server, and says where it is. */
	DashboardServer start() throws InterruptedException {
		InetAddress listening = listening();
		List<ServedDatabase> databases = databases();
		String secret = secret();
		Map<String, Object> properties = access(listening, secret);
		if (databases.size() > 1) {
			properties.put("rowqueue.dashboard.all-databases", "../");
		}
		DashboardServer server = DashboardServer.start(databases,
				new DashboardServer.Settings(this.address, this.port, properties, this.measure),
				DoctorCommand::sentence);
		PrintWriter out = this.spec.commandLine().getOut();
		server.problems().forEach((name, problem) -> problem.ifPresent((text) -> out.println(name + ": " + text)));
		out.println("The dashboard is at http://" + (listening.isAnyLocalAddress() ? "localhost" : host(listening))
				+ ":" + server.port() + "/"
				+ ((this.token != null) ? " for those who have the token" : "?token=" + secret));
		return server;
	}

	private InetAddress listening() {
		try {
			InetAddress listening = InetAddress.getByName(this.address);
			if (listening.isLoopbackAddress() || listening.isAnyLocalAddress()
					|| NetworkInterface.getByInetAddress(listening) != null) {
				return listening;
			}
		}
		catch (IOException ex) {
			throw notOfThisMachine();
		}
		throw notOfThisMachine();
	}

	private IllegalArgumentException notOfThisMachine() {
		return new IllegalArgumentException("--address must be an address of this machine, not " + this.address);
	}

	private Map<String, Object> access(InetAddress listening, String secret) {
		Set<String> names = new LinkedHashSet<>(List.of("localhost", "127.0.0.1", "[::1]"));
		names.add(host(listening));
		for (String name : this.hosts) {
			if (!HOST.matcher(name).matches()) {
				throw new IllegalArgumentException(
						"--host must be a name without a port, such as ops.example.org, not " + name);
			}
			names.add(name);
		}
		return new HashMap<>(Map.of("rowqueue.dashboard.token", secret, "rowqueue.dashboard.allow",
				listening.isLoopbackAddress() ? "local" : "token", "rowqueue.dashboard.hosts", List.copyOf(names),
				"rowqueue.dashboard.access", this.readOnly ? "read-only" : "unrestricted"));
	}

	/** As the header {@code Host} has it. */
	private static String host(InetAddress address) {
		return (address instanceof Inet6Address) ? "[" + address.getHostAddress().split("%", 2)[0] + "]"
				: address.getHostAddress();
	}

	private String secret() {
		if (this.token == null) {
			byte[] random = new byte[24];
			new SecureRandom().nextBytes(random);
			return HexFormat.of().formatHex(random);
		}
		if (!TOKEN.matcher(this.token).matches()) {
			throw new IllegalArgumentException(
					"--token (or ROWQUEUE_DASHBOARD_TOKEN) must have 20 characters or more, of"
							+ " letters, digits, '.', '_', '~' and '-', such as those that openssl rand -hex 16 prints.");
		}
		return this.token;
	}

	private List<ServedDatabase> databases() {
		Map<String, ServedDatabase> databases = new LinkedHashMap<>();
		for (String each : this.urls) {
			ServedDatabase database = database(each);
			if (databases.put(database.name(), database) != null) {
				throw new IllegalArgumentException("Two databases have the name '" + database.name()
						+ "'. Give each another one: --url NAME=ADDRESS");
			}
		}
		return List.copyOf(databases.values());
	}

	private ServedDatabase database(String option) {
		Matcher named = NAMED.matcher(option);
		String url = named.matches() ? named.group(2) : option;
		String address = String.valueOf(this.connector.dataSource(url).getUrl()).substring(Connector.JDBC.length());
		String place = address.split("\\?", 2)[0].replaceFirst("^//", "");
		String name = named.matches() ? named.group(1) : place.substring(place.lastIndexOf('/') + 1);
		if (!NAME.matcher(name).matches() || TAKEN.contains(name)) {
			throw new IllegalArgumentException(
					"'" + name + "' cannot be the name of a database in paths. Give it another"
							+ " one, of letters, digits, dots, dashes and underscores: --url NAME=ADDRESS");
		}
		return new ServedDatabase(name, place, this.connector.schema(), () -> pool(url));
	}

	/** For what is done in the dashboard, which reads on connections of its own. */
	private HikariDataSource pool(String url) {
		HikariDataSource pool = this.connector.pool(url);
		pool.setMaximumPoolSize(2);
		pool.setMinimumIdle(0);
		pool.setConnectionTimeout(CONNECTION_TIMEOUT.toMillis());
		return pool;
	}

}

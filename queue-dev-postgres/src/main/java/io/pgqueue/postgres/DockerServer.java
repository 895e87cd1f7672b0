package io.pgqueue.postgres;

import java.time.Duration;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports;
import com.github.dockerjava.api.model.Volume;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** A server in a container. */
final class DockerServer implements Server {

	private static final String DATA = "/pgqueue";

	private final PostgreSQLContainer container;

	private DockerServer(PostgreSQLContainer container) {
		this.container = container;
	}

	/** Whether Testcontainers is on the class path and finds an engine. */
	static boolean isAvailable() {
		return isTestcontainersPresent() && DockerClientFactory.instance().isDockerAvailable();
	}

	private static boolean isTestcontainersPresent() {
		return DockerServer.class.getResource("/org/testcontainers/postgresql/PostgreSQLContainer.class") != null;
	}

	@SuppressWarnings("resource") // the keeper stops it
	static DockerServer start(ServerSettings settings) {
		PostgreSQLContainer container = new PostgreSQLContainer("postgres:" + settings.version())
			.withDatabaseName("postgres")
			.withUsername("postgres")
			.withPassword(new ServerHome(settings.home()).password(settings.data()))
			.withCreateContainerCmdModifier(DockerServer::publishOnLoopback)
			.withStartupTimeout(Duration.ofMinutes(2));
		container.setCommand("postgres", "-c", "max_connections=300", "-c", "shared_buffers=128MB", "-c",
				"timezone=UTC", "-c", "fsync=" + (settings.durable() ? "on" : "off"));
		if (settings.durable()) {
			keepData(container, settings);
		}
		container.start();
		return new DockerServer(container);
	}

	private static void keepData(PostgreSQLContainer container, ServerSettings settings) {
		Bind bind = new Bind(settings.data().toString(), new Volume(DATA));
		container.withEnv("PGDATA", DATA + "/" + settings.version());
		container.withCreateContainerCmdModifier((create) -> create.withHostConfig(hostConfig(create).withBinds(bind)));
	}

	/** Docker publishes ports on all addresses of this machine unless told otherwise. */
	private static void publishOnLoopback(CreateContainerCmd create) {
		if (DockerClientFactory.instance().dockerHostIpAddress().equals("localhost")) {
			PortBinding port = new PortBinding(Ports.Binding.bindIp("127.0.0.1"),
					ExposedPort.tcp(PostgreSQLContainer.POSTGRESQL_PORT));
			create.withHostConfig(hostConfig(create).withPortBindings(port));
		}
	}

	private static HostConfig hostConfig(CreateContainerCmd create) {
		HostConfig host = create.getHostConfig();
		return (host != null) ? host : new HostConfig();
	}

	@Override
	public Database database() {
		return new Database(this.container.getJdbcUrl(), this.container.getUsername(), this.container.getPassword());
	}

	@Override
	public void stop() {
		this.container.stop();
	}

}

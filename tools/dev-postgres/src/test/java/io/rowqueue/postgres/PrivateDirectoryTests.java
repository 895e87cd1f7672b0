package io.rowqueue.postgres;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assumptions.assumeThat;

@DisabledOnOs(OS.WINDOWS)
class PrivateDirectoryTests {

	private static final Platform LINUX = new Platform("linux", "x86_64");

	@TempDir
	Path parent;

	@Test
	void otherUsersCanNeitherListNorWriteTheDirectory() throws Exception {
		Path created = PrivateDirectory.create(this.parent.resolve("new"));
		assertThat(permissions(created)).isEqualTo("rwx--x--x");
		assertThat(PrivateDirectory.create(created)).isEqualTo(created);
	}

	@Test
	void aLinkIsRejected() throws Exception {
		Path link = Files.createSymbolicLink(this.parent.resolve("link"),
				Files.createDirectory(this.parent.resolve("target")));
		assertThatIllegalStateException().isThrownBy(() -> PrivateDirectory.create(link))
			.withMessageContaining(link + ": it is a link");
		assertThatIllegalStateException().isThrownBy(() -> TestServers.durable(link))
			.withMessageContaining(link + ": it is a link");
	}

	@Test
	void aDirectoryThatOthersMayWriteIsRejected() throws Exception {
		Path open = Files.createDirectory(this.parent.resolve("open"));
		Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
		assertThatIllegalStateException().isThrownBy(() -> PrivateDirectory.create(open))
			.withMessageContaining("other users may write to it (rwxrwxrwx)");
	}

	@Test
	void aDirectoryOfAnotherUserIsRejected() throws Exception {
		assumeThat(System.getProperty("user.name")).as("only root can give a directory away").isEqualTo("root");
		Path foreign = Files.createDirectory(this.parent.resolve("foreign"));
		Files.setAttribute(foreign, "unix:uid", 65534, LinkOption.NOFOLLOW_LINKS);
		assertThatIllegalStateException().isThrownBy(() -> PrivateDirectory.create(foreign))
			.withMessageContaining("it belongs to ");
	}

	@Test
	void serversOfOneUserAreInTheCacheOfThatUser() {
		assertThat(Places.base("me", "/home/me", LINUX, Map.of())).hasToString("/home/me/.cache/rowqueue-postgres");
		assertThat(Places.base("me", "/home/me", LINUX, Map.of("XDG_CACHE_HOME", "/fast")))
			.hasToString("/fast/rowqueue-postgres");
		assertThat(Places.base("root", "/root", LINUX, Map.of())).hasToString("/var/cache/rowqueue-postgres");
	}

	private static String permissions(Path path) throws Exception {
		return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
	}

}

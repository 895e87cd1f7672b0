package io.rowqueue.lab.verify.worker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.util.PGJDBCMain;

import static org.assertj.core.api.Assertions.assertThat;

class ClassArchiveTests {

	@TempDir
	Path directory;

	@Tag("thorough")
	@Test
	void processesUseTheClassesThatAnEarlierOneHasWritten() throws Exception {
		ClassArchive archive = new ClassArchive(this.directory);
		Path written = this.directory.resolve("written.jsa");
		run(archive.options(written));
		archive.keep(written);
		assertThat(archive.exists()).isTrue();
		assertThat(written).doesNotExist();
		List<String> options = new ArrayList<>(archive.options(written));
		options.addAll(List.of("-Xshare:on", "-Xlog:class+load=info:file=" + this.directory.resolve("loaded")));
		run(options);
		assertThat(Files.readString(this.directory.resolve("loaded")))
			.containsPattern(PGJDBCMain.class.getName() + " source: shared objects file \\(top\\)");
		assertThat(written).doesNotExist();
	}

	@Test
	void theClassesOfAnEarlierRunAreNotUsed() throws IOException {
		ClassArchive archive = new ClassArchive(this.directory);
		archive.keep(Files.createFile(this.directory.resolve("written.jsa")));
		assertThat(archive.exists()).isTrue();
		archive.delete();
		assertThat(archive.exists()).isFalse();
	}

	@Test
	void aProcessThatWasKilledHasWrittenNone() {
		ClassArchive archive = new ClassArchive(this.directory);
		archive.keep(this.directory.resolve("written.jsa"));
		assertThat(archive.exists()).isFalse();
	}

	/** Some program in a jar, which writes what it is. */
	private void run(List<String> options) throws Exception {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
		command.addAll(options);
		Path jar = Path.of(PGJDBCMain.class.getProtectionDomain().getCodeSource().getLocation().toURI());
		command.addAll(List.of("-cp", jar.toString(), PGJDBCMain.class.getName()));
		Path output = this.directory.resolve("output");
		new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start().waitFor();
		assertThat(output).content().contains("PostgreSQL JDBC Driver");
	}

}

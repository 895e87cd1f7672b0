package io.rowqueue.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;

import static org.assertj.core.api.Assertions.assertThat;

/** The command lines of the documents are understood. */
class DocumentedCommandsTests {

	private static final Path DOCS = Path.of("..", "..", "docs");

	/** A line of a block, or a quoted command. */
	private static final Pattern COMMAND = Pattern.compile("(?m)(?:^(?:\\$ )?|`)rowqueue ([a-z][^`\\n]*)");

	/** Commands of the table of the page, which are quoted without their program. */
	private static final Pattern CELL = Pattern.compile("`([^`]+)`");

	static Set<String> commands() throws IOException {
		Set<String> commands = new LinkedHashSet<>();
		try (Stream<Path> documents = Files.walk(DOCS)) {
			for (Path document : documents.filter((file) -> file.toString().endsWith(".md")).toList()) {
				COMMAND.matcher(Files.readString(document)).results().forEach((found) -> commands.add(found.group(1)));
			}
		}
		Files.readAllLines(DOCS.resolve("cli.md"))
			.stream()
			.filter((line) -> line.startsWith("| `"))
			.flatMap((line) -> CELL.matcher(line.split("\\|")[1]).results())
			.forEach((found) -> commands.add(found.group(1)));
		return commands;
	}

	@ParameterizedTest
	@MethodSource("commands")
	void aDocumentedCommandIsUnderstood(String command) {
		List<String> arguments = Stream.of(command.replace("…", "2026-12-01T00:00:00Z").split(" ")).toList();
		assertThat(program().getSubcommands()).containsKey(arguments.get(0));
		try {
			program().parseArgs(arguments.toArray(String[]::new));
		}
		catch (MissingParameterException ex) {
			// without the address of the database; a text can name a command without all
			// it needs
			assertThat(ex.getMissing()).isNotEmpty();
		}
	}

	private static CommandLine program() {
		return new CommandLine(Rowqueue.class).setCaseInsensitiveEnumValuesAllowed(true);
	}

}

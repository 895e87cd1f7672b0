package io.rowqueue.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A block of code in a document.
 *
 * @param file the document, seen from the root of the project
 * @param line where the block begins
 * @param language what stands behind its fence
 * @param code the block without its indentation
 * @param context what an HTML comment before the block, which begins with its language,
 * takes for granted
 */
record Block(String file, int line, String language, String code, String context) {

	private static final Path ROOT = Path.of("..", "..");

	/** All blocks of a language in the README and below docs. */
	static List<Block> all(String... languages) {
		List<Block> blocks = new ArrayList<>();
		try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
			Stream.concat(Stream.of(ROOT.resolve("README.md")), docs.filter((file) -> file.toString().endsWith(".md")))
				.sorted()
				.forEach((file) -> blocks.addAll(of(file)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return blocks.stream().filter((block) -> List.of(languages).contains(block.language())).toList();
	}

	private static List<Block> of(Path file) {
		List<Block> blocks = new ArrayList<>();
		List<String> lines = lines(file);
		List<String> comment = new ArrayList<>();
		for (int i = 0; i < lines.size(); i++) {
			String line = lines.get(i);
			if (line.startsWith("<!-- ")) {
				comment.clear();
				for (; !line.endsWith("-->"); line = lines.get(++i)) {
					comment.add(line);
				}
				comment.add(line.replace("-->", ""));
			}
			else if (line.strip().startsWith("```")) {
				int begin = i + 1;
				String indent = line.substring(0, line.indexOf('`'));
				List<String> code = new ArrayList<>();
				for (i++; !lines.get(i).strip().equals("```"); i++) {
					code.add(lines.get(i).replaceFirst("^" + indent, ""));
				}
				String language = line.strip().substring(3);
				blocks.add(new Block(ROOT.relativize(file).toString(), begin, language, String.join("\n", code),
						context(comment, language)));
				comment.clear();
			}
		}
		return blocks;
	}

	private static String context(List<String> comment, String language) {
		String text = String.join("\n", comment);
		String begin = "<!-- " + language + ":";
		return text.startsWith(begin) ? text.substring(begin.length()) : "";
	}

	private static List<String> lines(Path file) {
		try {
			return Files.readAllLines(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public String toString() {
		return this.file + ":" + this.line;
	}

}

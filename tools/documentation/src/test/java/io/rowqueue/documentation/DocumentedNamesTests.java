package io.rowqueue.documentation;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the texts quote exists: classes of the project with their members, properties,
 * meters, and objects of the database.
 */
class DocumentedNamesTests {

	private static final Path ROOT = Path.of("..", "..");

	private static final Pattern QUOTED = Pattern.compile("`([^`\\n]+)`");

	/** A class, an annotation with attributes, or a member of a class. */
	private static final Pattern TYPE = Pattern.compile("@?([A-Z]\\w*)((?:\\.\\w+)*)(?:\\((.*)\\))?");

	/**
	 * Words that are no classes, or those of libraries that this module does not have.
	 */
	private static final Set<String> NO_CLASSES = Set.of("AlterConfigs", "AutoConfigureDataJpa", "Class", "Create",
			"Deferred", "Delete", "Describe", "DescribeConfigs", "Dispatchers", "ETag", "EmbeddedPostgres",
			"EndpointRequest", "EntityManager", "Forwarded", "IdempotentWrite", "SchedulerLock", "Schedulers",
			"SecurityFilterChain", "Tests", "Via");

	/** They are about other products, or about what was. */
	private static final Pattern OF_OTHERS = Pattern
		.compile(".*/docs/(migrating|design/decisions)/.*|.*/comparison.md");

	private static final Pattern FILE = Pattern.compile(".*\\.(md|sql|kt|java)");

	private static final Pattern ATTRIBUTE = Pattern.compile("(\\w+) *=");

	private static final Pattern WORD = Pattern.compile("\\w+");

	private static final Pattern DECLARATION = Pattern
		.compile("(?:class|interface|record|enum) (\\w+)([^{;]*?(?:extends|implements)[^{]*)?");

	private static final Pattern OURS = Pattern.compile("(?<![\\w./-])rowqueue\\.[\\w.<>*-]*[\\w>*]");

	/** Names that the code has itself, such as those of masked texts. */
	private static final Pattern NAME_IN_CODE = Pattern.compile("\"(rowqueue\\.[\\w.-]+)\"");

	/** Words of the sources of the project by class, with those of its supertypes. */
	private static final Map<String, Set<String>> WORDS = new HashMap<>();

	private static final Set<String> NAMES_IN_CODE = new HashSet<>();

	/** All code of the product, with texts that stand in several parts as one. */
	private static final StringBuilder MESSAGES = new StringBuilder();

	private static final Set<String> WORDS_OF_SQL = new HashSet<>();

	/** Properties and meters, of which tests make sure that they exist. */
	private static final List<Pattern> TABLES = new ArrayList<>();

	private static final Set<String> CLASSES_OF_OTHERS = classesOfOthers();

	static {
		Map<String, Set<String>> supertypes = new HashMap<>();
		sources()
			.forEach((directory) -> files(directory, "", ".java", ".kt").forEach((file) -> read(file, supertypes)));
		for (String type : List.copyOf(WORDS.keySet())) {
			Set<String> all = new HashSet<>();
			Deque<String> open = new ArrayDeque<>(List.of(type));
			Set<String> seen = new HashSet<>();
			while (!open.isEmpty()) {
				String next = open.pop();
				if (seen.add(next)) {
					all.addAll(WORDS.getOrDefault(next, Set.of()));
					open.addAll(supertypes.getOrDefault(next, Set.of()));
				}
			}
			WORDS.put(type, all);
		}
		Stream.of("queue-core", "extensions")
			.flatMap((folder) -> files(ROOT.resolve(folder), "src/main/resources/", ".sql").stream())
			.forEach((file) -> WORDS_OF_SQL.addAll(words(text(file))));
		Stream.of("properties.md", "kafka.md", "meters.md")
			.flatMap((page) -> text(ROOT.resolve("docs").resolve(page)).lines())
			.filter((line) -> line.startsWith("| `rowqueue."))
			.map((line) -> line.substring(3, line.indexOf('`', 3)))
			.map((name) -> Pattern.compile(name.replace(".", "\\.").replaceAll("<\\w+>", "[^.]+")))
			.forEach(TABLES::add);
	}

	/** The simple names of all other classes of the class path and of the JDK. */
	private static Set<String> classesOfOthers() {
		Set<String> names = new HashSet<>();
		try (Stream<Path> ofTheJdk = Files.walk(Path.of(URI.create("jrt:/")))) {
			ofTheJdk.forEach((file) -> addClass(file.toString(), names));
			String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
			for (String entry : classPath.split(File.pathSeparator)) {
				if (entry.endsWith(".jar")) {
					try (ZipFile jar = new ZipFile(entry)) {
						jar.stream().forEach((file) -> addClass(file.getName(), names));
					}
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return names;
	}

	private static void addClass(String file, Set<String> names) {
		if (file.endsWith(".class") && !file.startsWith("io/rowqueue/")) {
			names.add(file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('$')) + 1,
					file.length() - ".class".length()));
		}
	}

	private static void read(Path file, Map<String, Set<String>> supertypes) {
		String code = text(file);
		Set<String> words = words(code);
		String name = file.getFileName().toString().replaceFirst("\\.\\w+$", "");
		WORDS.computeIfAbsent(name, (type) -> new HashSet<>()).addAll(words);
		DECLARATION.matcher(code).results().forEach((found) -> {
			WORDS.computeIfAbsent(found.group(1), (type) -> new HashSet<>()).addAll(words);
			if (found.group(2) != null) {
				supertypes.computeIfAbsent(found.group(1), (type) -> new HashSet<>()).addAll(words(found.group(2)));
			}
		});
		if (file.toString().contains("/src/main/")) {
			NAME_IN_CODE.matcher(code).results().map((found) -> found.group(1)).forEach(NAMES_IN_CODE::add);
			MESSAGES.append(code.replaceAll("\"\\s*\\+\\s*\"", "")).append('\n');
		}
	}

	static List<Path> documents() {
		return Stream
			.concat(Stream.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "llms.txt")
				.map(ROOT::resolve), files(ROOT.resolve("docs"), "", ".md").stream())
			.toList();
	}

	static List<Path> documentsAboutTheProject() {
		return documents().stream().filter((document) -> !OF_OTHERS.matcher(document.toString()).matches()).toList();
	}

	@ParameterizedTest
	@MethodSource("documentsAboutTheProject")
	void classesExist(Path document) {
		assertThat(quoted(document).stream()
			.filter((quoted) -> !FILE.matcher(quoted).matches())
			.map(TYPE::matcher)
			.filter(Matcher::matches)
			.map((found) -> found.group(1))
			.filter((type) -> !type.equals(type.toUpperCase(Locale.ROOT)))
			.filter((type) -> !WORDS.containsKey(type) && !CLASSES_OF_OTHERS.contains(type)
					&& !NO_CLASSES.contains(type)))
			.isEmpty();
	}

	@ParameterizedTest
	@MethodSource("documentsAboutTheProject")
	void membersOfClassesOfTheProjectExist(Path document) {
		List<String> unknown = new ArrayList<>();
		for (String quoted : quoted(document)) {
			Matcher type = TYPE.matcher(quoted);
			if (type.matches() && WORDS.containsKey(type.group(1)) && !CLASSES_OF_OTHERS.contains(type.group(1))) {
				Set<String> named = words(type.group(2));
				if (quoted.startsWith("@") && type.group(3) != null) {
					ATTRIBUTE.matcher(type.group(3)).results().forEach((found) -> named.add(found.group(1)));
				}
				if (!WORDS.get(type.group(1)).containsAll(named)) {
					unknown.add(quoted);
				}
			}
		}
		assertThat(unknown).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("documents")
	void namesOfPropertiesMetersAndTablesExist(Path document) {
		List<String> unknown = OURS.matcher(text(document))
			.results()
			.map(MatchResult::group)
			.filter((name) -> !name.contains("rowqueue.<") && !isKnown(name))
			.toList();
		assertThat(unknown).isEmpty();
	}

	@Test
	void messagesThatOneSearchesForAreThoseOfTheCode() {
		List<String> messages = text(ROOT.resolve("docs/troubleshooting.md")).lines()
			.filter((line) -> line.startsWith("| `"))
			.flatMap((line) -> Stream.of(line.substring(3, line.indexOf('`', 3)).split("…")))
			.map(String::strip)
			.toList();
		assertThat(messages).hasSizeGreaterThan(30).allMatch((part) -> MESSAGES.indexOf(part) >= 0);
	}

	private static boolean isKnown(String name) {
		String begin = name.replaceFirst("\\.?\\*$", "");
		return NAMES_IN_CODE.contains(name) || TABLES.stream().anyMatch((known) -> known.matcher(begin).matches())
				|| TABLES.stream().anyMatch((known) -> {
					Matcher longer = known.matcher(begin + ".");
					return longer.matches() || longer.hitEnd();
				}) || WORDS_OF_SQL.containsAll(words(name.substring("rowqueue.".length())));
	}

	private static Set<String> quoted(Path document) {
		return QUOTED.matcher(text(document).replaceAll("(?s)```.*?```", ""))
			.results()
			.map((found) -> found.group(1))
			.collect(Collectors.toSet());
	}

	private static Set<String> words(String text) {
		return WORD.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(HashSet::new));
	}

	/** Those of all modules: what builds write beside them changes meanwhile. */
	private static List<Path> sources() {
		return Stream.of("", "extensions", "samples", "tools")
			.map(ROOT::resolve)
			.flatMap((directory) -> modules(directory).stream())
			.map((module) -> module.resolve("src"))
			.filter(Files::isDirectory)
			.toList();
	}

	private static List<Path> modules(Path directory) {
		try (Stream<Path> modules = Files.list(directory)) {
			return modules.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Collection<Path> files(Path directory, String within, String... ends) {
		try (Stream<Path> files = Files.walk(directory)) {
			return files.filter((file) -> file.toString().contains(within))
				.filter((file) -> Stream.of(ends).anyMatch(file.toString()::endsWith))
				.sorted()
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String text(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

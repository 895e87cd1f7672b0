import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Prints where the time of the last {@code ./mvnw verify} went, by module and by test
 * class, from the reports of Surefire: {@code java tools/SlowTests.java [classes]}, from
 * the root of the repository.
 *
 * <p>
 * Times are those of the classes, so the sum of a module counts classes that ran at the
 * same time in several JVMs each.
 */
public class SlowTests {

	private static final Pattern SUITE = Pattern.compile("<testsuite\\s[^>]*?>", Pattern.DOTALL);

	private record Suite(String module, String name, int tests, double seconds) {
	}

	public static void main(String[] args) throws IOException {
		int shown = (args.length > 0) ? Integer.parseInt(args[0]) : 60;
		Path root = Path.of("").toAbsolutePath();
		List<Suite> suites = new ArrayList<>();
		try (Stream<Path> paths = Files.walk(root)) {
			for (Path report : (Iterable<Path>) paths
				.filter((path) -> path.getFileName().toString().matches("TEST-.*\\.xml"))::iterator) {
				Matcher suite = SUITE.matcher(Files.readString(report));
				if (suite.find()) {
					Path module = root.relativize(report.getParent().getParent().getParent());
					suites.add(new Suite(module.toString(), attribute(suite.group(), "name"),
							Integer.parseInt(attribute(suite.group(), "tests")),
							Double.parseDouble(attribute(suite.group(), "time").replace(",", ""))));
				}
			}
		}
		Map<String, Double> modules = new TreeMap<>();
		suites.forEach((suite) -> modules.merge(suite.module(), suite.seconds(), Double::sum));
		modules.entrySet()
			.stream()
			.sorted(Map.Entry.<String, Double>comparingByValue().reversed())
			.forEach((module) -> System.out.printf("%8.1f s  %s%n", module.getValue(), module.getKey()));
		System.out.println();
		suites.stream()
			.sorted(Comparator.comparingDouble(Suite::seconds).reversed())
			.limit(shown)
			.forEach((suite) -> System.out.printf("%8.1f s %5d tests  %s  %s%n", suite.seconds(), suite.tests(),
					suite.module(), suite.name()));
	}

	private static String attribute(String element, String name) {
		Matcher attribute = Pattern.compile("\\s" + name + "=\"([^\"]*)\"").matcher(element);
		if (!attribute.find()) {
			throw new IllegalArgumentException("no " + name + " in " + element);
		}
		return attribute.group(1);
	}

}

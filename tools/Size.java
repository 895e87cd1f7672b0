import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Prints the size of each module: {@code java tools/Size.java}, from the root of the
 * repository or with it as the argument.
 *
 * <p>
 * Code lines are those of Java sources without comments, blank lines, imports and the
 * package. Tables and functions are what the migrations create and do not drop again, SQL
 * lines are all lines of the migrations. How many files a job passes is measured by
 * {@code PlainJobTests} of the core.
 */
public class Size {

	private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL);

	private static final Pattern PUBLIC_TYPE = Pattern
		.compile("(?m)^public\\s+(?:[a-z-]+\\s+)*(?:class|interface|record|enum|@interface)\\s");

	private static final Pattern TABLE = Pattern.compile("(?im)^(create|drop)\\s+(?:unlogged\\s+)?table\\s+(?:if exists\\s+)?(\\w+)");

	private static final Pattern FUNCTION = Pattern
		.compile("(?im)^(create|drop)\\s+(?:or replace\\s+)?(?:function|procedure)\\s+(?:if exists\\s+)?(?:\\{schema\\}\\.)?(\\w+)");

	public static void main(String[] args) throws IOException {
		Path root = Path.of((args.length > 0) ? args[0] : ".").toAbsolutePath().normalize();
		List<Path> modules;
		try (Stream<Path> paths = Files.walk(root, 5)) {
			modules = paths.filter((path) -> path.endsWith("pom.xml") && !path.toString().contains("/target/"))
				.map(Path::getParent)
				.filter((module) -> Files.isDirectory(module.resolve("src")))
				.sorted()
				.toList();
		}
		String row = "%-45s %6s %8s %8s %7s %7s %10s %10s%n";
		System.out.printf(row, "module", "files", "code", "public", "tables", "funct.", "SQL lines", "test lines");
		long[] sum = new long[7];
		for (Path module : modules) {
			long[] size = size(module);
			System.out.printf(row, root.relativize(module), size[0], size[1], size[2], size[3], size[4], size[5], size[6]);
			for (int i = 0; i < sum.length; i++) {
				sum[i] += size[i];
			}
		}
		System.out.printf(row, "all", sum[0], sum[1], sum[2], sum[3], sum[4], sum[5], sum[6]);
	}

	private static long[] size(Path module) throws IOException {
		long[] size = new long[7];
		for (Path file : files(module.resolve("src/main"), ".java")) {
			if (!file.endsWith("package-info.java")) {
				String source = Files.readString(file);
				size[0]++;
				size[1] += codeLines(source);
				size[2] += PUBLIC_TYPE.matcher(source).results().count();
			}
		}
		List<Path> migrations = files(module.resolve("src/main/resources"), ".sql").stream()
			.filter((file) -> file.getParent().endsWith("migration"))
			.sorted()
			.toList();
		Set<String> tables = new TreeSet<>();
		Set<String> functions = new TreeSet<>();
		// versioned files before the repeatable ones, in the order of their numbers
		List<Path> inOrder = new ArrayList<>(migrations);
		inOrder.sort((one, other) -> Long.compare(version(one), version(other)));
		for (Path file : inOrder) {
			String sql = Files.readString(file);
			size[5] += sql.lines().count();
			created(TABLE, sql, tables);
			created(FUNCTION, sql, functions);
		}
		size[3] = tables.size();
		size[4] = functions.size();
		for (Path file : files(module.resolve("src/test"), ".java")) {
			try (Stream<String> lines = Files.lines(file)) {
				size[6] += lines.count();
			}
		}
		return size;
	}

	private static long version(Path file) {
		Matcher number = Pattern.compile("V(\\d+)__.*").matcher(file.getFileName().toString());
		return number.matches() ? Long.parseLong(number.group(1)) : Long.MAX_VALUE;
	}

	private static void created(Pattern pattern, String sql, Set<String> names) {
		for (Matcher matcher = pattern.matcher(sql); matcher.find();) {
			if (matcher.group(1).equalsIgnoreCase("drop")) {
				names.remove(matcher.group(2));
			}
			else {
				names.add(matcher.group(2));
			}
		}
	}

	private static long codeLines(String source) {
		return COMMENT.matcher(source)
			.replaceAll("")
			.lines()
			.map(String::strip)
			.filter((line) -> !line.isEmpty() && !line.startsWith("//") && !line.startsWith("import ")
					&& !line.startsWith("package "))
			.count();
	}

	private static List<Path> files(Path directory, String end) {
		if (!Files.isDirectory(directory)) {
			return List.of();
		}
		try (Stream<Path> paths = Files.walk(directory)) {
			return paths.filter((path) -> path.toString().endsWith(end)).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

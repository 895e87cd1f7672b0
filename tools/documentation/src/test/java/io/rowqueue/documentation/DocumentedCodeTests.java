package io.rowqueue.documentation;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import io.rowqueue.migration.QueueSchema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

import static org.assertj.core.api.Assertions.assertThat;

/** What stands in the documents can be copied: it compiles, binds, and runs. */
class DocumentedCodeTests {

	/** A function and its parameters, in place of a statement. */
	private static final Pattern SIGNATURE = Pattern.compile("rowqueue\\.\\w+\\(\n");

	private static final Pattern PARAMETER = Pattern
		.compile("(?m)^ {4}(\\w+) +([a-z]+(?:\\[])?)(?: +default ([^, ]+))?[, ]");

	private static final Path VIEWS = Path.of("..", "..", "docs", "views.md");

	/**
	 * The core has them without rows until a part replaces them, and its functions alone
	 * read them.
	 */
	private static final Set<String> VIEWS_BETWEEN_PARTS = Set.of("own_ids", "unpublished_job");

	private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

	private static SingleConnectionDataSource database;

	@BeforeAll
	static void createTables() {
		Database created = DevPostgres.shared().createDatabase("docs");
		database = new SingleConnectionDataSource(created.url(), created.username(), created.password(), true);
		new QueueSchema(database).initialize();
	}

	@AfterAll
	static void disconnect() {
		database.destroy();
	}

	static List<Block> java() {
		return Block.all("java");
	}

	static List<Block> settings() {
		return Block.all("yaml", "yml", "properties");
	}

	static List<Block> sql() {
		return Block.all("sql").stream().filter((block) -> !SIGNATURE.matcher(block.code()).lookingAt()).toList();
	}

	static List<Block> xml() {
		return Block.all("xml");
	}

	@ParameterizedTest
	@MethodSource("java")
	void theJavaCodeCompiles(Block block) {
		assertThat(new JavaBlock(block).errors()).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("settings")
	void propertiesAreKnownAndBind(Block block) {
		Settings settings = Settings.of(block);

		assertThat(settings.values()).isNotEmpty();
		assertThat(settings.unknown()).isEmpty();
		settings.bind();
	}

	@ParameterizedTest
	@MethodSource("sql")
	void theSqlRuns(Block block) {
		JdbcTemplate jdbc = new JdbcTemplate(database);
		new TransactionTemplate(new JdbcTransactionManager(database)).executeWithoutResult((status) -> {
			status.setRollbackOnly();
			if (!block.context().isBlank()) {
				jdbc.execute(block.context());
			}
			jdbc.execute(block.code());
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "rowqueue.enqueue", "rowqueue.enqueue_all" })
	void theSignatureOfAFunctionIsTheOneOfTheDatabase(String function) {
		List<Block> signatures = Block.all("sql")
			.stream()
			.filter((block) -> block.code().startsWith(function + "(\n"))
			.toList();
		List<String> documented = PARAMETER.matcher(signatures.get(0).code())
			.results()
			.map((found) -> found.group(1) + " " + found.group(2)
					+ ((found.group(3) != null) ? " default " + found.group(3) : ""))
			.toList();

		String arguments = JdbcClient.create(database)
			.sql("select pg_get_function_arguments(?::regproc)")
			.param(function)
			.query((row, index) -> row.getString(1))
			.single();
		assertThat(signatures).hasSize(1);
		assertThat(documented).containsExactly(arguments.replaceAll("::[a-z ]+(\\[])?", "")
			.replace("timestamp with time zone", "timestamptz")
			.replace("DEFAULT NULL", "default null")
			.replace("DEFAULT", "default")
			.split(", "));
	}

	@Test
	void theTableOfViewsHasTheViewsAndColumnsOfTheDatabase() throws IOException {
		Map<String, List<String>> documented = new TreeMap<>();
		for (String row : Files.readAllLines(VIEWS)) {
			if (row.startsWith("| `")) {
				String[] cells = row.split("\\|");
				documented.put(quoted(cells[1]).get(0), quoted(cells[3].replaceAll("\\([^)]*\\)", "")));
			}
		}

		Map<String, List<String>> known = new TreeMap<>();
		JdbcClient.create(database)
			.sql("""
					select table_name, column_name from information_schema.columns join information_schema.views
					using (table_schema, table_name) where table_schema = 'rowqueue' order by table_name, ordinal_position""")
			.query((row) -> {
				known.computeIfAbsent(row.getString(1), (view) -> new ArrayList<>()).add(row.getString(2));
			});
		assertThat(known).containsKeys(VIEWS_BETWEEN_PARTS.toArray(String[]::new));
		known.keySet().removeAll(VIEWS_BETWEEN_PARTS);
		assertThat(documented).isEqualTo(known);
		String grants = Files.readString(VIEWS).replaceAll("(?s).*grant select on ", "");
		assertThat(known.keySet()).allSatisfy((view) -> assertThat(grants).contains("rowqueue." + view));
	}

	private static List<String> quoted(String cell) {
		return QUOTED.matcher(cell).results().map((found) -> found.group(1)).toList();
	}

	@ParameterizedTest
	@MethodSource("xml")
	void dependenciesAreModulesThatArePublished(Block block)
			throws IOException, ParserConfigurationException, SAXException {
		String published = Files.readString(Path.of("..", "..", "extensions", "queue-bom", "pom.xml"));
		NodeList dependencies = DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(new InputSource(new StringReader("<pom>" + block.code() + "</pom>")))
			.getElementsByTagName("dependency");

		assertThat(dependencies.getLength()).isPositive();
		for (int i = 0; i < dependencies.getLength(); i++) {
			Element dependency = (Element) dependencies.item(i);
			if (text(dependency, "groupId").equals("io.rowqueue")) {
				assertThat(published).contains("<artifactId>" + text(dependency, "artifactId") + "</artifactId>");
			}
		}
	}

	private static String text(Element dependency, String name) {
		return dependency.getElementsByTagName(name).item(0).getTextContent();
	}

	@Test
	void allDocumentsAreChecked() {
		assertThat(java()).hasSizeGreaterThan(30);
		assertThat(settings()).hasSizeGreaterThan(4);
		assertThat(sql()).hasSizeGreaterThan(10);
		assertThat(xml()).hasSizeGreaterThan(1);
	}

}

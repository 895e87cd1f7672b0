package io.pgqueue.sample.docs;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

import io.pgqueue.postgres.Database;
import io.pgqueue.postgres.DevPostgres;
import io.pgqueue.schema.QueueSchema;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** What stands in the documents can be copied: it compiles, binds, and runs. */
class DocumentedCodeTests {

	private static DriverManagerDataSource database;

	@BeforeAll
	static void createTables() {
		Database created = DevPostgres.shared().createDatabase("docs");
		database = new DriverManagerDataSource(created.url(), created.username(), created.password());
		new QueueSchema(database).initialize();
	}

	static List<Block> java() {
		return Block.all("java");
	}

	static List<Block> settings() {
		return Block.all("yaml", "yml", "properties");
	}

	static List<Block> sql() {
		// what is in sql.md is a signature, or is tested with the function
		return Block.all("sql").stream().filter((block) -> !block.file().endsWith("docs/sql.md")).toList();
	}

	static List<Block> xml() {
		return Block.all("xml");
	}

	@ParameterizedTest
	@MethodSource("java")
	void javaCompiles(Block block) {
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
	void sqlRuns(Block block) {
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
	@MethodSource("xml")
	void dependenciesAreModulesThatArePublished(Block block)
			throws IOException, ParserConfigurationException, SAXException {
		String published = Files.readString(Path.of("..", "queue-bom", "pom.xml"));
		NodeList modules = DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(new InputSource(new StringReader("<pom>" + block.code() + "</pom>")))
			.getElementsByTagName("artifactId");

		assertThat(modules.getLength()).isPositive();
		for (int i = 0; i < modules.getLength(); i++) {
			assertThat(published).contains("<artifactId>" + modules.item(i).getTextContent() + "</artifactId>");
		}
	}

	@Test
	void documentsAreWatchedAtAll() {
		assertThat(java()).hasSizeGreaterThan(30);
		assertThat(settings()).hasSizeGreaterThan(4);
		assertThat(sql()).hasSizeGreaterThan(10);
		assertThat(xml()).hasSizeGreaterThan(1);
	}

}

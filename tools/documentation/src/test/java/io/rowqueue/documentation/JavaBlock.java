package io.rowqueue.documentation;

import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Java in a document: members of some bean, or statements in one of its methods. The bean
 * has what a reader takes for granted, and imports what the documents are about.
 */
record JavaBlock(Block block) {

	private static final String IMPORTS = """
			import java.time.*;
			import java.util.*;
			import java.util.stream.*;
			import io.rowqueue.*;
			import io.rowqueue.admin.*;
			import io.rowqueue.control.*;
			import io.rowqueue.admin.filter.*;
			import io.rowqueue.masking.*;
			import io.rowqueue.admin.operation.*;
			import io.rowqueue.flow.*;
			import io.rowqueue.limit.*;
			import io.rowqueue.listen.*;
			import io.rowqueue.schedule.*;
			import io.rowqueue.shard.*;
			import io.rowqueue.step.*;
			import io.rowqueue.window.*;
			import org.springframework.jdbc.core.simple.JdbcClient;
			import javax.sql.DataSource;
			import com.zaxxer.hikari.HikariDataSource;
			import io.rowqueue.autoconfigure.connection.*;
			import io.rowqueue.test.QueueTester;
			import io.rowqueue.test.autoconfigure.QueueTest;
			import java.net.UnknownHostException;
			import org.junit.jupiter.api.Test;
			import org.springframework.beans.factory.annotation.Autowired;
			import org.springframework.boot.context.properties.ConfigurationProperties;
			import org.springframework.boot.jdbc.DataSourceBuilder;
			import org.springframework.context.annotation.Bean;
			import org.springframework.stereotype.Component;
			import org.springframework.stereotype.Service;
			import org.springframework.transaction.annotation.Transactional;
			import static org.assertj.core.api.Assertions.assertThat;
			""";

	private static final String FIELDS = """
			JobQueue jobs;
			JobAdmin admin;
			JobControl control;
			JobSearch search;
			Operations operations;
			JdbcClient db;
			QueueTester tester;
			long id;
			""";

	private static final String TYPES = """
			record Invoice(long id) { }
			record Webhook(String url) { }
			record Payment(long account, long amount) { }
			record WelcomeMail(String name, String email) { }
			class SignUp { void signUp(String name, String email) { } }
			""";

	/** The context of a block has them. */
	private static final String OF_THE_EXAMPLE = "import com.example.";

	private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

	/** One for all: it opens each archive on the class path once. */
	private static final Nowhere FILES = new Nowhere(COMPILER);

	/** What the compiler says; nothing: it compiles. */
	String errors() {
		String asMembers = compile(members());
		return asMembers.isEmpty() ? "" : asStatements(asMembers);
	}

	private String asStatements(String asMembers) {
		String asStatements = compile("void block() throws Exception {\n" + statements() + "\n}");
		return asStatements.isEmpty() ? "" : "As members:\n" + asMembers + "\nAs statements:\n" + asStatements;
	}

	private String members() {
		return code().replace("{ … }", "{ }");
	}

	/** More than one statement may throw in a block that shows several. */
	private String statements() {
		return code().replace("{ … }", "{ }").replaceAll("(?m)^throw ", "if (this.id > 0) throw ");
	}

	private String code() {
		return this.block.code()
			.lines()
			.filter((line) -> !line.startsWith("package ") && !line.startsWith("import "))
			.collect(Collectors.joining("\n"));
	}

	private String compile(String body) {
		String imports = this.block.code()
			.lines()
			.filter((line) -> line.startsWith("import ") && !line.startsWith(OF_THE_EXAMPLE))
			.collect(Collectors.joining("\n"));
		String unit = IMPORTS + imports + "\nclass Document {\n" + FIELDS + this.block.context() + "\n" + body + "\n}\n"
				+ TYPES;
		DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
		List<String> options = List.of("-proc:none", "-implicit:none", "-parameters", "-classpath", classPath());
		COMPILER.getTask(null, FILES, diagnostics, options, null, List.of(new Source(unit))).call();
		return diagnostics.getDiagnostics()
			.stream()
			.filter((each) -> each.getKind() == Diagnostic.Kind.ERROR)
			.map((each) -> each.getMessage(null) + "\n    " + unit.lines().toList().get((int) each.getLineNumber() - 1))
			.collect(Collectors.joining("\n"));
	}

	private static String classPath() {
		return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
	}

	/** Source code in memory. */
	private static final class Source extends SimpleJavaFileObject {

		private final String code;

		Source(String code) {
			super(URI.create("string:///Document.java"), Kind.SOURCE);
			this.code = code;
		}

		@Override
		public CharSequence getCharContent(boolean ignoreEncodingErrors) {
			return this.code;
		}

	}

}

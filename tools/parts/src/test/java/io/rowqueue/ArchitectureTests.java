package io.rowqueue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.engine.measure.MeasurementStore;
import io.rowqueue.engine.support.SuspendAwareClock;
import io.rowqueue.migration.QueueSchema;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.shard.Shard;
import io.rowqueue.transport.JobTransport;
import io.rowqueue.window.Window;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.springframework.jdbc.CannotGetJdbcConnectionException;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/** Which packages know which, and what each of them keeps out. */
class ArchitectureTests {

	private static final String ROOT = "io.rowqueue";

	private static final String ENGINE = ROOT + ".engine";

	/**
	 * What applications use. These packages are one: a request names predecessors, limits
	 * and windows.
	 */
	private static final Set<String> API = Set.of("", ".flow", ".schedule", ".limit", ".window", ".listen", ".control",
			".masking", ".admin", ".admin.filter", ".admin.operation", ".shard", ".step");

	/** Every package of the engine and what it may use besides the API and itself. */
	private static final Map<String, Set<String>> ARROWS = Map.ofEntries(Map.entry("support", Set.of()),
			Map.entry("listen", Set.of("support")), Map.entry("codec", Set.of()), Map.entry("handler", Set.of("codec")),
			Map.entry("database", Set.of()), Map.entry("limit", Set.of("database", "support")),
			Map.entry("wakeup", Set.of("database", "limit", "listen", "support")),
			Map.entry("lease", Set.of("database", "listen", "support", "wakeup")),
			Map.entry("step", Set.of("database", "lease")), Map.entry("signal", Set.of("database", "lease", "wakeup")),
			Map.entry("job", Set.of("codec", "database", "lease")),
			Map.entry("maintenance", Set.of("database", "limit", "support", "wakeup")),
			Map.entry("control", Set.of("database", "job", "limit", "maintenance", "support", "wakeup")),
			Map.entry("window", Set.of("database", "job", "maintenance")),
			Map.entry("schedule", Set.of("database", "enqueue", "listen", "maintenance", "support", "wakeup")),
			Map.entry("history", Set.of("database", "lease", "maintenance", "support")),
			Map.entry("enqueue", Set.of("codec", "database", "job", "lease", "signal", "support", "wakeup")),
			Map.entry("attempt",
					Set.of("codec", "database", "handler", "job", "lease", "listen", "signal", "step", "support",
							"wakeup")),
			Map.entry("slot", Set.of("attempt", "job", "lease", "support")),
			Map.entry("finish", Set.of("attempt", "database", "lease", "listen", "signal", "support", "wakeup")),
			Map.entry("claim", Set.of("attempt", "database", "finish", "lease", "listen", "slot", "support")),
			Map.entry("outbox", Set.of("database", "enqueue", "job", "support", "wakeup")),
			Map.entry("transport",
					Set.of("attempt", "claim", "codec", "database", "finish", "handler", "lease", "listen",
							"maintenance", "outbox", "slot", "support", "wakeup", "worker")),
			Map.entry("worker",
					Set.of("attempt", "claim", "database", "finish", "handler", "job", "lease", "limit", "listen",
							"slot", "support", "wakeup")),
			Map.entry("recovery", Set.of("database", "lease", "listen", "maintenance", "support", "wakeup", "worker")),
			Map.entry("measure", Set.of("database", "job", "lease", "maintenance", "support", "worker")),
			Map.entry("explain", Set.of("database", "job", "support", "worker")),
			Map.entry("shard", Set.of("database", "job", "slot", "support")),
			Map.entry("figures", Set.of("database", "maintenance", "support")),
			Map.entry("search", Set.of("database", "job", "signal", "step")),
			Map.entry("operation", Set.of("database", "maintenance", "search", "support")),
			Map.entry("admin", Set.of("codec", "control", "database", "enqueue", "explain", "job", "lease", "operation",
					"search", "signal", "step", "support", "wakeup")));

	/** How each part becomes beans of an application. */
	private static final String AUTO_CONFIGURATION = ROOT + ".*.autoconfigure..";

	private static final Set<String> PACKAGES = ARROWS.keySet();

	/** The parts around the core, by their packages. */
	private static final Map<String, Set<String>> PARTS = Map.of("migration", Set.of(".migration"), "schedules",
			Set.of(".schedule", ".schedule.autoconfigure", ".engine.schedule"), "windows",
			Set.of(".window", ".window.autoconfigure", ".engine.window"), "monitoring",
			Set.of(".engine.measure", ".engine.figures", ".observation", ".monitoring.autoconfigure.."), "admin",
			Set.of(".admin", ".admin.filter", ".admin.operation", ".admin.autoconfigure", ".engine.admin",
					".engine.explain", ".engine.search", ".engine.operation"),
			"shards", Set.of(".shard", ".shard.autoconfigure", ".engine.shard"), "transport",
			Set.of(".transport", ".transport.autoconfigure", ".engine.transport", ".engine.outbox"));

	/** Which parts a part needs besides the core. */
	private static final Map<String, Set<String>> NEEDED_PARTS = Map.of("shards", Set.of("admin", "windows"));

	private static final Set<String> NAMES_OF_PARTS = PARTS.keySet();

	private static final JavaClasses CLASSES = new ClassFileImporter().importUrls(Stream
		.of(JobQueue.class, QueueSchema.class, JobAdmin.class, Window.class, Schedule.class, MeasurementStore.class,
				Shard.class, JobTransport.class)
		.map((type) -> type.getProtectionDomain().getCodeSource().getLocation())
		.toList());

	@Test
	void everyPackageHasItsPlace() {
		check(classes().should()
			.resideInAnyPackage(Stream
				.concat(api(),
						Stream.of(ROOT + ".schema", ROOT + ".migration", ROOT + ".observation", ROOT + ".transport",
								ENGINE))
				.toArray(String[]::new))
			.orShould()
			.resideInAnyPackage(PACKAGES.stream().map(ArchitectureTests::in).toArray(String[]::new))
			.orShould()
			.resideInAPackage(AUTO_CONFIGURATION));
	}

	/** A module implements it that knows a broker and nothing of the engine. */
	@Test
	void theTransportKnowsNothingElse() {
		check(noClasses().that()
			.resideInAPackage(ROOT + ".transport")
			.should()
			.dependOnClassesThat(resideInAPackage(ROOT + "..").and(not(resideInAPackage(ROOT + ".transport")))));
	}

	@Test
	void theApiKnowsNothingOfTheEngineButItsChecks() {
		check(noClasses().that()
			.resideInAnyPackage(
					Stream.concat(api(), Stream.of(ROOT + ".observation", ROOT + ".schema", ROOT + ".migration"))
						.toArray(String[]::new))
			.should()
			.dependOnClassesThat(resideInAPackage(ENGINE + "..").and(not(resideInAPackage(in("support"))))));
	}

	@Test
	void noTypeOfTheEngineIsInAPublicSignature() {
		DescribedPredicate<JavaClass> engine = resideInAPackage(ENGINE + "..");
		assertThat(CLASSES.stream()
			.filter(engine.negate().and(resideOutsideOfPackage(AUTO_CONFIGURATION)))
			.filter((type) -> type.getModifiers().contains(JavaModifier.PUBLIC))
			.flatMap((type) -> type.getCodeUnits().stream())
			.filter((unit) -> unit.getModifiers().contains(JavaModifier.PUBLIC)
					|| unit.getModifiers().contains(JavaModifier.PROTECTED))
			.filter((unit) -> engine.test(unit.getRawReturnType())
					|| unit.getRawParameterTypes().stream().anyMatch(engine)))
			.isEmpty();
	}

	@ParameterizedTest
	@FieldSource("PACKAGES")
	void aPackageKnowsOnlyTheOnesAboveIt(String name) {
		Set<String> known = new HashSet<>(ARROWS.get(name));
		known.add(name);
		check(noClasses().that()
			.resideInAPackage(in(name))
			.should()
			.dependOnClassesThat(resideInAPackage(ENGINE + "..")
				.and(not(resideInAnyPackage(known.stream().map(ArchitectureTests::in).toArray(String[]::new))))));
	}

	/** The core and the other parts work without it. */
	@ParameterizedTest
	@FieldSource("NAMES_OF_PARTS")
	void onlyThosePartsKnowAPartThatNeedIt(String part) {
		Stream<String> users = Stream.concat(Stream.of(part),
				NEEDED_PARTS.entrySet()
					.stream()
					.filter((each) -> each.getValue().contains(part))
					.map(Map.Entry::getKey));
		check(noClasses().that()
			.resideOutsideOfPackages(
					users.flatMap((each) -> PARTS.get(each).stream()).map(ROOT::concat).toArray(String[]::new))
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage(PARTS.get(part).stream().map(ROOT::concat).toArray(String[]::new)));
	}

	@Test
	void noPackagesOfTheEngineKnowEachOther() {
		check(slices().matching(ENGINE + ".(*)..").should().beFreeOfCycles());
	}

	/** Besides them only the statements that a store is made of. */
	@Test
	void sqlIsInStores() {
		check(noClasses().that()
			.resideOutsideOfPackages(in("database"), ROOT + ".migration", in("enqueue"))
			.and(not(nameMatching(".*(Store|Statement)(\\$.*)?")))
			.and(not(nameMatching(".*\\.(WorkerSession|NewJobColumn|ThreadState|ShardHost)(\\$.*)?")))
			.should()
			.dependOnClassesThat(resideInAnyPackage("org.springframework.jdbc..", "org.postgresql..")
				.and(not(belongToAnyOf(CannotGetJdbcConnectionException.class)))
				.or(javaSql())));
	}

	/** It asks the connection whether there is a transaction, and nothing else. */
	@Test
	void enqueueTakesPartInTransactionsAndKnowsNoSql() {
		check(noClasses().that()
			.resideInAPackage(in("enqueue"))
			.should()
			.dependOnClassesThat(resideInAnyPackage("org.springframework.jdbc..", "org.postgresql..")
				.and(not(resideInAPackage("org.springframework.jdbc.datasource")))
				.or(javaSql().and(not(belongToAnyOf(Connection.class))))));
	}

	@Test
	void jacksonIsInTheCodecAndTheHandler() {
		check(noClasses().that()
			.resideOutsideOfPackages(in("codec"), in("handler"), AUTO_CONFIGURATION) // which
																						// chooses
																						// the
																						// mapper
			.and(not(belongToAnyOf(PayloadEncryption.class))) // its texts are JSON
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("tools.jackson..", "com.fasterxml.jackson.."));
	}

	@Test
	void theEngineKnowsNoSpringBoot() {
		check(noClasses().that()
			.resideOutsideOfPackage(AUTO_CONFIGURATION)
			.should()
			.dependOnClassesThat()
			.resideInAPackage("org.springframework.boot.."));
	}

	@Test
	void noPackagesOfAnAutoConfigurationKnowEachOther() {
		check(slices().matching(ROOT + ".monitoring.autoconfigure.(*)..").should().beFreeOfCycles());
	}

	@Test
	void onlyTheMetersKnowThePoolOfWorkers() {
		check(noClasses().that()
			.resideOutsideOfPackage(ROOT + ".monitoring.autoconfigure.metrics")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("com.zaxxer.hikari.."));
	}

	/**
	 * But to notice that the machine was suspended: no time in a row is compared with it.
	 */
	@Test
	void noClassReadsTheClockOfTheMachine() {
		check(noClasses().that()
			.areNotAssignableTo(SuspendAwareClock.class)
			.should()
			.accessTargetWhere(readsTheClock()));
	}

	private static DescribedPredicate<JavaAccess<?>> readsTheClock() {
		List<Class<?>> times = List.of(Instant.class, OffsetDateTime.class, ZonedDateTime.class, LocalDateTime.class,
				LocalDate.class, LocalTime.class);
		return DescribedPredicate.describe("reads the clock of the machine", (access) -> {
			AccessTarget target = access.getTarget();
			JavaClass owner = target.getOwner();
			return (times.stream().anyMatch(owner::isEquivalentTo) && target.getName().equals("now"))
					|| (owner.isEquivalentTo(System.class) && target.getName().equals("currentTimeMillis"))
					|| (owner.isEquivalentTo(Clock.class)
							&& (target.getName().startsWith("system") || target.getName().startsWith("tick")))
					|| (owner.isEquivalentTo(Date.class) && target.getFullName().endsWith("<init>()"));
		});
	}

	/**
	 * It has as many threads as the machine has processors, and a task that another one
	 * waits for may not get any of them. The sources are read: modules that are built
	 * later have no classes yet.
	 */
	@Test
	void noTestRunsAnythingInTheCommonPool() throws IOException {
		Pattern withoutThreads = Pattern.compile("\\.(?:run|supply)Async\\((?![^;]*(?i:thread))");
		List<Path> tests = sources("src/test/java");
		List<Path> users = new ArrayList<>();
		for (Path test : tests) {
			if (withoutThreads.matcher(Files.readString(test)).find()) {
				users.add(test);
			}
		}
		assertThat(tests).hasSizeGreaterThan(500);
		assertThat(users).isEmpty();
	}

	/** Constants of another package are no dependencies of classes, but imports. */
	@Test
	void eachArrowIsUsed() throws IOException {
		Map<String, String> used = new HashMap<>();
		for (Path source : sources("src/main/java/" + ENGINE.replace('.', '/'))) {
			used.merge(String.valueOf(source.getParent().getFileName()), Files.readString(source), String::concat);
		}
		CLASSES.stream()
			.filter((type) -> type.getPackageName().startsWith(ENGINE + "."))
			.forEach((type) -> type.getDirectDependenciesFromSelf()
				.forEach((dependency) -> used.merge(type.getPackageName().substring(ENGINE.length() + 1),
						" " + dependency.getTargetClass().getName(), String::concat)));
		assertThat(ARROWS).allSatisfy((name, known) -> assertThat(known).as("what engine.%s may use", name)
			.allMatch((other) -> used.get(name).contains(" " + ENGINE + "." + other + ".")));
	}

	/** Of all modules. */
	private static List<Path> sources(String directory) throws IOException {
		Path root = Path.of("").toAbsolutePath();
		while (!Files.exists(root.resolve("mvnw"))) {
			root = root.getParent();
		}
		List<Path> sources = new ArrayList<>();
		for (String group : List.of(".", "extensions", "samples", "tools")) {
			try (DirectoryStream<Path> modules = Files.newDirectoryStream(root.resolve(group),
					(module) -> Files.exists(module.resolve(directory)))) {
				for (Path module : modules) {
					try (Stream<Path> files = Files.walk(module.resolve(directory))) {
						files.filter((file) -> file.toString().endsWith(".java")).forEach(sources::add);
					}
				}
			}
		}
		return sources;
	}

	private static DescribedPredicate<JavaClass> javaSql() {
		return resideInAPackage("java.sql..").and(not(belongToAnyOf(SQLException.class)));
	}

	private static Stream<String> api() {
		return API.stream().map((name) -> ROOT + name);
	}

	private static String in(String name) {
		return ENGINE + "." + name + "..";
	}

	/** Passes also while a package is missing. */
	private static void check(ArchRule rule) {
		rule.allowEmptyShould(true).check(CLASSES);
	}

}

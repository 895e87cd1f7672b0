package io.pgqueue;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Collection;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.pgqueue.support.SuspendAwareClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/** The arrows between the packages of the engine, and what each of them keeps out. */
class ArchitectureTests {

	private static final String API = "io.pgqueue";

	/** Every package below the API and what it may use besides the API and itself. */
	private static final Map<String, Set<String>> ARROWS = Map.ofEntries(Map.entry("support", Set.of()),
			Map.entry("observation", Set.of("support")), Map.entry("schema", Set.of()), Map.entry("codec", Set.of()),
			Map.entry("handler", Set.of("codec")), Map.entry("store", Set.of("schema")),
			Map.entry("wakeup", Set.of("store", "support")), Map.entry("enqueue", Set.of("codec", "store", "wakeup")),
			Map.entry("worker", Set.of("codec", "handler", "store", "wakeup", "schema", "support")),
			Map.entry("maintenance", Set.of("store", "wakeup", "schema", "support")),
			Map.entry("window", Set.of("store", "schema", "support", "maintenance")),
			Map.entry("schedule", Set.of("store", "wakeup", "schema", "support", "maintenance")),
			Map.entry("admin", Set.of("store", "wakeup", "schema", "support")));

	private static final Set<String> PACKAGES = ARROWS.keySet();

	private static final JavaClasses ENGINE = new ClassFileImporter()
		.importUrl(JobQueue.class.getProtectionDomain().getCodeSource().getLocation());

	@Test
	void everyPackageHasItsPlace() {
		check(classes().should().resideInAnyPackage(api(PACKAGES)));
	}

	@Test
	void theApiKnowsNoOtherPackage() {
		check(noClasses().that().resideInAPackage(API).should().dependOnClassesThat(resideInAPackage(API + ".*..")));
	}

	@ParameterizedTest
	@FieldSource("PACKAGES")
	void aPackageKnowsOnlyTheOnesAboveIt(String name) {
		Set<String> known = new HashSet<>(ARROWS.get(name));
		known.add(name);
		check(noClasses().that()
			.resideInAPackage(in(name))
			.should()
			.dependOnClassesThat(
					resideInAPackage(API + "..").and(DescribedPredicate.not(resideInAnyPackage(api(known))))));
	}

	@Test
	void noPackagesKnowEachOther() {
		check(slices().matching(API + ".(*)..").should().beFreeOfCycles());
	}

	/** Whoever uses the store may see how it fails, and hand it its data source. */
	@Test
	void sqlIsInTheStoreAndTheSchema() {
		check(noClasses().that()
			.resideOutsideOfPackages(in("store"), in("schema"), in("enqueue"))
			.should()
			.dependOnClassesThat(resideInAnyPackage("org.springframework.jdbc..", "org.postgresql..").or(javaSql())));
	}

	/** It asks the connection whether there is a transaction, and nothing else. */
	@Test
	void enqueueTakesPartInTransactionsAndKnowsNoSql() {
		check(noClasses().that()
			.resideInAPackage(in("enqueue"))
			.should()
			.dependOnClassesThat(resideInAnyPackage("org.springframework.jdbc..", "org.postgresql..")
				.and(DescribedPredicate.not(resideInAPackage("org.springframework.jdbc.datasource")))
				.or(javaSql().and(DescribedPredicate.not(belongToAnyOf(Connection.class))))));
	}

	@Test
	void jacksonIsInTheCodecAndTheHandler() {
		check(noClasses().that()
			.resideOutsideOfPackages(in("codec"), in("handler"))
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("tools.jackson..", "com.fasterxml.jackson.."));
	}

	@Test
	void theEngineKnowsNoSpringBoot() {
		check(noClasses().should().dependOnClassesThat().resideInAPackage("org.springframework.boot.."));
	}

	/**
	 * But to notice that the machine was suspended: no time in a row is compared with it.
	 */
	@Test
	void nobodyReadsTheClockOfTheMachine() {
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

	private static DescribedPredicate<JavaClass> javaSql() {
		return resideInAPackage("java.sql..").and(DescribedPredicate.not(belongToAnyOf(SQLException.class)));
	}

	private static String[] api(Collection<String> names) {
		return Stream.concat(Stream.of(API), names.stream().map(ArchitectureTests::in)).toArray(String[]::new);
	}

	private static String in(String name) {
		return API + "." + name + "..";
	}

	/** Passes also while a package is missing. */
	private static void check(ArchRule rule) {
		rule.allowEmptyShould(true).check(ENGINE);
	}

}

package io.rowqueue.dashboard;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/** Which parts of the dashboard may know which. */
class ArchitectureTests {

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages("io.rowqueue.dashboard");

	@Test
	void onlyTheAdaptersKnowAWebFramework() {
		noClasses().that()
			.resideOutsideOfPackage("..dashboard.autoconfigure..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("jakarta.servlet..", "reactor..", "org.springframework.web.servlet..",
					"org.springframework.web.reactive..", "org.springframework.http..",
					"org.springframework.security..")
			.check(CLASSES);
	}

	@Test
	void requestsAndRoutesKnowNothingOfTheQueue() {
		noClasses().that()
			.resideInAnyPackage("..dashboard.http..", "..dashboard.web..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("io.rowqueue", "io.rowqueue.admin..", "io.rowqueue.engine..", "..dashboard.api..")
			.check(CLASSES);
	}

	@Test
	void resourcesHaveNoCycles() {
		slices().matching("io.rowqueue.dashboard.api.(*)..").should().beFreeOfCycles().check(CLASSES);
		noClasses().that()
			.resideInAPackage("io.rowqueue.dashboard.api")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("..dashboard.api.*..")
			.check(CLASSES);
	}

	@Test
	void whatApplicationsImplementKnowsNothingElse() {
		noClasses().that()
			.resideInAPackage("io.rowqueue.dashboard")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("..dashboard.http..", "..dashboard.api..", "..dashboard.web..",
					"..dashboard.autoconfigure..")
			.check(CLASSES);
	}

	@Test
	void statementsAreNotWrittenInTheApi() {
		noClasses().that()
			.resideInAPackage("..dashboard..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("org.springframework.jdbc..")
			.check(CLASSES);
	}

}

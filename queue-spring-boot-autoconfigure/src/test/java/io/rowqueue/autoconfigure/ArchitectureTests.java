package io.rowqueue.autoconfigure;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/** Which packages of the auto-configuration know which. */
class ArchitectureTests {

	private static final String ROOT = "io.rowqueue.autoconfigure";

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages(ROOT);

	/** It has what the others share, above all the properties. */
	@Test
	void theRootKnowsNoOtherPackage() {
		noClasses().that()
			.resideInAPackage(ROOT)
			.should()
			.dependOnClassesThat()
			.resideInAPackage(ROOT + ".(*)..")
			.check(CLASSES);
	}

	@Test
	void noPackagesKnowEachOther() {
		slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(CLASSES);
	}

	@Test
	void onlyTheConnectionsKnowTheirPool() {
		noClasses().that()
			.resideOutsideOfPackage(ROOT + ".connection")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("com.zaxxer.hikari..")
			.check(CLASSES);
	}

}

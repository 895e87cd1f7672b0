package io.rowqueue.dashboard.autoconfigure;

import java.util.Set;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.rowqueue.dashboard.api.Actions;
import io.rowqueue.dashboard.api.health.AboutDashboard;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

import static org.assertj.core.api.Assertions.assertThat;

/** A native image keeps what the API writes and what the pages load. */
class DashboardRuntimeHintsTests {

	/** Records that no answer contains. */
	private static final Set<String> INTERNAL = Set.of("Snapshot", "Measured", "QueueReaders", "FigureReaders",
			"Buckets", "Kept", "HeldNow");

	@Test
	void everyRecordOfTheApiIsKept() {
		assertThat(new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
			.importPackagesOf(Actions.class)).filteredOn(JavaClass::isRecord)
			.filteredOn((type) -> !INTERNAL.contains(type.getSimpleName()))
			.extracting(JavaClass::reflect)
			.filteredOn((type) -> type != AboutDashboard.class)
			.allMatch((type) -> DashboardRuntimeHints.records().contains(type)
					|| type.getEnclosingClass() == AboutDashboard.class);
	}

	@Test
	void theFilesOfThePagesAreKept() {
		RuntimeHints hints = new RuntimeHints();
		new DashboardRuntimeHints().registerHints(hints, null);
		assertThat(RuntimeHintsPredicates.resource().forResource("io/rowqueue/dashboard/web/vendor/lit-html.js"))
			.accepts(hints);
	}

}

package io.rowqueue.lab.verify.ledger;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class LedgerFileTests {

	@TempDir
	Path directory;

	@Test
	void theLedgerOutlivesAnInterruptOfTheHandlerThatWrites() {
		try (LedgerFile ledger = LedgerFile.open(this.directory, "a")) {
			Thread.currentThread().interrupt();
			ledger.append(Event.INTERRUPTED, 1, 42, 1, 1);
			assertThat(Thread.interrupted()).isTrue();
			ledger.append(Event.BEGUN, 2, 43, 1, 1);
		}
		assertThat(LedgerFile.read(this.directory)).extracting(Entry::job).containsExactly(42L, 43L);
	}

	@Test
	void theLedgerReadsWhatWasWritten() {
		try (LedgerFile ledger = LedgerFile.open(this.directory, "a")) {
			ledger.append(Event.TRIED, 7, 5, 0);
			ledger.append(Event.BEGUN, 7, 42, 2, 3);
		}
		assertThat(LedgerFile.read(this.directory)).usingRecursiveFieldByFieldElementComparatorIgnoringFields("nanos")
			.containsExactly(new Entry(0, "a", Event.TRIED, 7, 5, 0, 0, 0),
					new Entry(0, "a", Event.BEGUN, 7, 0, 42, 2, 3));
	}

	@Test
	void theLedgerReadsAllProcessesByTimeAndSkipsALineThatWasNotFinished() throws Exception {
		try (LedgerFile one = LedgerFile.open(this.directory, "a");
				LedgerFile other = LedgerFile.open(this.directory, "b")) {
			one.append(Event.BEGUN, 1, 42, 1, 1);
			other.append(Event.ACKNOWLEDGED, 1, 1, 42);
			one.append(Event.ENDED, 1, 42, 1, 1);
		}
		Files.writeString(LedgerFile.path(this.directory, "a"), "123\tBEG", StandardOpenOption.APPEND);
		assertThat(LedgerFile.read(this.directory)).extracting(Entry::process).containsExactly("a", "b", "a");
	}

}

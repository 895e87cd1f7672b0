package io.rowqueue.lab.peer;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

import io.rowqueue.lab.contestant.Contestant;
import io.rowqueue.lab.contestant.Contestants;
import io.rowqueue.lab.contestant.Db;
import io.rowqueue.lab.contestant.LabDatabase;
import io.rowqueue.lab.contestant.Ledger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What the workloads notice, some with a table that loses jobs. */
@Tag("thorough")
class WorkloadsTests {

	private static final int JOBS = 100_000;

	/** Five jobs never become a row. */
	private static final String LOSES = """
			create function spoil() returns trigger language plpgsql as $$
			begin
				if (new.payload->>'n')::int between 700 and 704 then
					return null;
				end if;
				return new;
			end $$""";

	/** A job becomes a second row of another one. */
	private static final String CONFUSES = """
			create function spoil() returns trigger language plpgsql as $$
			begin
				if (new.payload->>'n')::int = 700 then
					new.payload = '{"n": 701}';
				end if;
				return new;
			end $$""";

	private final String url = LabDatabase.url();

	private final Ledger ledger = new Ledger(JOBS);

	@ParameterizedTest
	@CsvSource({ "steady, rowqueue", "backlog, limit-update", "backlog, limit-delete", "backlog, rowqueue" })
	void theLedgerAccountsForEachJob(String workload, String name) throws Exception {
		Map<String, String> metrics = run(workload, contestant(name, workload), 2000);
		assertThat(metrics).containsEntry("duplicates", "0").containsEntry("missing", "0");
		assertThat(Integer.parseInt(metrics.get("executed"))).isPositive();
	}

	@ParameterizedTest
	@ValueSource(strings = { "steady", "backlog" })
	void theLedgerNoticesLostJobs(String workload) throws Exception {
		Contestant contestant = contestant("limit-update", workload);
		spoil(LOSES);
		Map<String, String> metrics = run(workload, contestant, 1000);
		assertThat(metrics).containsEntry("duplicates", "0").containsEntry("missing", "5");
	}

	@Test
	void aJobThatIsThereInsteadOfAnotherDoesNotMakeUpForIt() throws Exception {
		Contestant contestant = contestant("limit-update", "enqueue_bulk");
		spoil(CONFUSES);
		Map<String, String> metrics = run("enqueue_bulk", contestant, 0);
		assertThat(metrics).containsEntry("duplicates", "1").containsEntry("missing", "1");
	}

	@Test
	void aProducerThatCannotGoOnEndsTheRun() throws Exception {
		Ledger small = new Ledger(5000);
		Contestant contestant = Contestants.create("limit-update", this.url, small, "steady");
		assertThatThrownBy(() -> run("steady", contestant, small, 2000)).hasMessageContaining("The ledger is full");
	}

	private Contestant contestant(String name, String workload) throws Exception {
		return Contestants.create(name, this.url, this.ledger, workload);
	}

	private void spoil(String function) throws Exception {
		new Db(this.url).execute(function,
				"create trigger spoil before insert on job for each row execute function spoil()");
	}

	private Map<String, String> run(String workload, Contestant contestant, int rate) throws Exception {
		return run(workload, contestant, this.ledger, rate);
	}

	private Map<String, String> run(String workload, Contestant contestant, Ledger ledger, int rate) throws Exception {
		ByteArrayOutputStream printed = new ByteArrayOutputStream();
		Report report = new Report(new PrintStream(printed, true, StandardCharsets.UTF_8));
		Parameters parameters = Parameters.from(Map.of("JOBS", "" + JOBS, "DURATION", "1", "RATE", "" + rate));
		new Workloads(contestant, new Db(this.url), ledger, report, parameters).run(workload);
		return printed.toString(StandardCharsets.UTF_8)
			.lines()
			.map((line) -> line.split("=", 2))
			.collect(Collectors.toMap((sides) -> sides[0], (sides) -> sides[1], (first, second) -> second));
	}

}

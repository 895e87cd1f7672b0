package io.rowqueue.lab.verify;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rowqueue.lab.Machine;
import io.rowqueue.lab.verify.fault.Fault;
import io.rowqueue.lab.verify.fault.FaultEvent;
import io.rowqueue.lab.verify.verdict.Finding;
import io.rowqueue.lab.verify.verdict.Finding.Kind;
import io.rowqueue.lab.verify.verdict.Verdict;

/**
 * Says in Markdown what was done, what came out, and how to do it again. Threads beside
 * each other may tell it what they did.
 */
final class Report {

	private static final String LEGEND = """

			- *jobs*: enqueues that were acknowledged; each must have run to its end, once for the queue
			- *unknown*: enqueues that failed during a fault; they may exist, and if so must have run
			- *rolled back*: enqueues whose transaction was rolled back on purpose; they must not have run
			- *retried*: runs that failed on purpose, and were retried
			- *interrupted*: runs that a fault cut short or made void, so that the job ran again; each is explained \
			by the fault and by what the queue recorded of the attempt
			- *begun late*: runs that a worker began after it had been frozen past its lease, before it knew that the \
			jobs it held were given to others
			- *stale refused*: runs among these two whose handler came to its end and whose success was refused, \
			or had not been written when its process died
			- *pause*: the longest time in which no job ended; *recovery*: the longest time from a harm to a worker \
			until its running jobs ran elsewhere, or from the end of a harm to the database until a job ended
			""";

	private static final int MAX_FINDINGS = 20;

	private static final int MAX_EVENTS = 40;

	private final Options options;

	private final String server;

	private final Map<Fault, RoundResult> rounds = new ConcurrentHashMap<>();

	private final Map<Fault, String> skipped = new ConcurrentHashMap<>();

	private final Map<Fault, String> broken = new ConcurrentHashMap<>();

	Report(Options options, String server) {
		this.options = options;
		this.server = server;
	}

	void add(RoundResult round) {
		this.rounds.put(round.fault(), round);
	}

	void skip(Fault fault, String reason) {
		this.skipped.put(fault, reason);
	}

	void broken(Fault fault, Throwable reason) {
		this.broken.put(fault, String.valueOf(reason));
	}

	/**
	 * Whether each fault was done or left out, but not all of them, and nothing was
	 * found.
	 */
	boolean isGood() {
		return !this.rounds.isEmpty() && this.rounds.size() + this.skipped.size() == this.options.faults().size()
				&& this.rounds.values().stream().allMatch((round) -> round.verdict().isGood());
	}

	/** Returns the result in one sentence. */
	String conclusion() {
		if (isGood()) {
			return "Nothing was lost, and nothing was accepted that should not have been.";
		}
		return (this.rounds.isEmpty() && this.broken.isEmpty()) ? "Every fault was left out: nothing is proved."
				: "There are findings.";
	}

	/** Returns one line for the console. */
	static String line(RoundResult round) {
		Verdict verdict = round.verdict();
		return String.format(Locale.ROOT,
				"%-18s %-4s %6d jobs %6d runs %4d interrupted %3d begun late %3d stale refused  pause %6s  recovery %6s  (%d s)%s",
				round.fault().name(), verdict.isGood() ? "ok" : "BAD", verdict.acknowledged(), verdict.runs(),
				verdict.interrupted(), verdict.late(), verdict.staleRefused(), seconds(verdict.longestPause()),
				(verdict.recovery() != null) ? seconds(verdict.recovery()) : "–", round.took().toSeconds(),
				Stream
					.concat(round.results().stream(),
							verdict.findings().stream().limit(3).map((finding) -> text(finding)))
					.map((text) -> "\n  " + text)
					.collect(Collectors.joining()));
	}

	String markdown() {
		StringBuilder text = new StringBuilder("# Fault runs\n\n");
		text.append("**").append(conclusion()).append("**\n\n");
		text.append(this.server)
			.append("; ")
			.append(Machine.current().description())
			.append(".\n")
			.append(this.options.workers())
			.append(" worker processes, ")
			.append(this.options.rate())
			.append(" jobs a second, lease ")
			.append(this.options.lease().toSeconds())
			.append(" s, each fault for ")
			.append(this.options.duration().toSeconds())
			.append(" s or at least once, ")
			.append(this.options.together())
			.append(" at a time, seed ")
			.append(this.options.seed())
			.append(".\n\n");
		table(text);
		inOrder(this.skipped).forEach((fault, reason) -> text.append("\nLeft out: **")
			.append(fault.name())
			.append("**, because ")
			.append(reason)
			.append(".\n"));
		inOrder(this.broken).forEach((fault, reason) -> text.append("\n**")
			.append(fault.name())
			.append(" could not be brought to its end:** ")
			.append(reason)
			.append('\n'));
		text.append(LEGEND);
		inOrder(this.rounds).forEach((fault, round) -> round(text, round));
		return text.toString();
	}

	private <V> Map<Fault, V> inOrder(Map<Fault, V> outcomes) {
		Map<Fault, V> ordered = new LinkedHashMap<>();
		this.options.faults()
			.stream()
			.filter(outcomes::containsKey)
			.forEach((fault) -> ordered.put(fault, outcomes.get(fault)));
		return ordered;
	}

	private void table(StringBuilder text) {
		text.append(
				"| fault | jobs | unknown | rolled back | runs | retried | interrupted | begun late | stale refused | pause | "
						+ "recovery |");
		for (Kind kind : Kind.values()) {
			text.append(" **").append(kind.title()).append("** |");
		}
		text.append("\n|---").append("|--:".repeat(10 + Kind.values().length)).append("|\n");
		for (RoundResult round : inOrder(this.rounds).values()) {
			Verdict verdict = round.verdict();
			text.append("| ")
				.append(round.fault().name())
				.append(" | ")
				.append(List
					.of(verdict.acknowledged(), verdict.unknown(), verdict.rolledBack(), verdict.runs(),
							verdict.onPurpose(), verdict.interrupted(), verdict.late(), verdict.staleRefused())
					.stream()
					.map(String::valueOf)
					.collect(Collectors.joining(" | ")))
				.append(" | ")
				.append(seconds(verdict.longestPause()))
				.append(" | ")
				.append((verdict.recovery() != null) ? seconds(verdict.recovery()) : "–")
				.append(" |");
			for (Kind kind : Kind.values()) {
				text.append(" **").append(verdict.count(kind)).append("** |");
			}
			text.append('\n');
		}
	}

	private void round(StringBuilder text, RoundResult round) {
		text.append("\n## ")
			.append(round.fault().name())
			.append("\n\n")
			.append(round.fault().description())
			.append(".\n\nAgain: `")
			.append(this.options.replay(round.fault()))
			.append("` (ledgers and logs are in `")
			.append(this.options.directory().getFileName())
			.append('/')
			.append(round.fault().name())
			.append("`)\n\n");
		round.results().forEach((result) -> text.append(result).append(".\n\n"));
		List<FaultEvent> events = round.events();
		for (FaultEvent event : events.subList(0, Math.min(MAX_EVENTS, events.size()))) {
			text.append("- ")
				.append(seconds(Duration.ofNanos(event.nanos() - round.began())))
				.append(": ")
				.append(event.text())
				.append('\n');
		}
		if (events.size() > MAX_EVENTS) {
			text.append("- and ").append(events.size() - MAX_EVENTS).append(" more\n");
		}
		List<Finding> findings = round.verdict().findings();
		findings.stream()
			.limit(MAX_FINDINGS)
			.forEach((finding) -> text.append("\n**").append(text(finding)).append("**\n"));
		if (findings.size() > MAX_FINDINGS) {
			text.append("\nand ").append(findings.size() - MAX_FINDINGS).append(" findings more\n");
		}
	}

	private static String text(Finding finding) {
		return finding.kind().title() + ": " + finding.text();
	}

	private static String seconds(Duration duration) {
		return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
	}

}

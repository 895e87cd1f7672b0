package io.rowqueue.lab.contestant;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/** All contestants of this module. */
public final class Contestants {

	/** The product. */
	public static final String ROWQUEUE = "rowqueue";

	/** Rowqueue, configured to keep no succeeded jobs. */
	private static final String WITHOUT_HISTORY = "rowqueue-no-history";

	/** The product in a virtual machine that compiles quickly, and not as well. */
	private static final String QUICKLY_COMPILED = "rowqueue-c1";

	/** The product with two open pages of its dashboard. */
	private static final String WATCHED = "rowqueue-dashboard";

	/** Rowqueue, configured to keep no figures over time. */
	private static final String WITHOUT_FIGURES = "rowqueue-no-figures";

	/** Those that only run when they are named. */
	public static final List<String> ON_REQUEST = List.of(WATCHED, WITHOUT_FIGURES);

	/** Their names, the product first, the limits last. */
	public static final List<String> ALL = List.of(ROWQUEUE, WITHOUT_HISTORY, QUICKLY_COMPILED, "db-scheduler",
			"jobrunr", "quartz", "dbos", "namastack", "limit-update", "limit-delete", "limit-rows", "limit-rows-delete",
			"limit-insert");

	/** Those with libraries that do not fit to the others', each in a module. */
	private static final List<String> ON_OWN_CLASS_PATH = List.of("dbos", "namastack");

	private Contestants() {
	}

	/** Whether there is a contestant of that name. */
	public static boolean isKnown(String name) {
		return ALL.contains(name) || ON_REQUEST.contains(name);
	}

	/**
	 * The class path of a contestant's process.
	 * @param lab the class path of the lab
	 * @param home the directory of the lab
	 * @throws IllegalStateException if the module of the contestant has not been built
	 */
	public static String classPath(String name, String lab, Path home) {
		if (!ON_OWN_CLASS_PATH.contains(name)) {
			return lab;
		}
		Path libraries = home.resolve("contestants").resolve(name).resolve("target").resolve("lib");
		if (Files.notExists(libraries)) {
			throw new IllegalStateException("There is no " + libraries + ": build the module of " + name
					+ " with ./mvnw -Pthorough -pl tools/lab/contestants/" + name + " -am -DskipTests package");
		}
		return libraries.resolve("*").toString();
	}

	/** The options of a contestant's virtual machine. */
	public static List<String> javaOptions(String name) {
		return name.equals(QUICKLY_COMPILED) ? List.of("-Xmx2g", "-XX:TieredStopAtLevel=1") : List.of("-Xmx2g");
	}

	/**
	 * Creates a contestant with its tables.
	 * @param name one of {@link #ALL} or {@link #ON_REQUEST}
	 * @param url a fresh database
	 * @param ledger what its handlers write to
	 * @param workload what will be measured
	 */
	public static Contestant create(String name, String url, Ledger ledger, String workload) throws Exception {
		Db db = new Db(url);
		boolean inProcess = workload.equals("latency");
		boolean notifies = inProcess || workload.equals("latency_across") || workload.equals("produce");
		return switch (name) {
			case ROWQUEUE, QUICKLY_COMPILED -> Rowqueue.create(url, ledger, Map.of());
			case WITHOUT_HISTORY -> Rowqueue.create(url, ledger, Map.of("rowqueue.retention.succeeded", "0"));
			case WITHOUT_FIGURES -> Rowqueue.create(url, ledger, Map.of("rowqueue.figures.enabled", "false"));
			case WATCHED -> Rowqueue.create(url, ledger, Rowqueue.WITH_OPEN_PAGES);
			case "db-scheduler" -> DbScheduler.create(db, ledger, inProcess);
			case "jobrunr" -> JobRunrQueue.create(db, ledger);
			case "quartz" -> QuartzQueue.create(db, ledger);
			case "limit-update" -> TextbookTable.create(db, ledger, false, notifies);
			case "limit-delete" -> TextbookTable.create(db, ledger, true, notifies);
			case "limit-rows" -> BareWorker.create(db, ledger, true);
			case "limit-rows-delete" -> BareWorker.create(db, ledger, false);
			case "limit-insert" -> BareInsert.create(db, ledger);
			default -> created(name, db, ledger);
		};
	}

	private static Contestant created(String name, Db db, Ledger ledger) throws Exception {
		Optional<ContestantFactory> factory = ServiceLoader.load(ContestantFactory.class).findFirst();
		if (!ON_OWN_CLASS_PATH.contains(name) || factory.isEmpty()) {
			throw new IllegalArgumentException("There is no contestant '" + name + "' on this class path, only "
					+ ALL.stream().filter((known) -> !ON_OWN_CLASS_PATH.contains(known)).toList());
		}
		return factory.get().create(db, ledger);
	}

}

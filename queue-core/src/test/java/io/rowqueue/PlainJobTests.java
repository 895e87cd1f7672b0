package io.rowqueue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.ListeningConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.EventRequestManager;
import com.sun.jdi.request.MethodEntryRequest;
import io.rowqueue.testing.ChildProcesses;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestProcess;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Prints the files that a plain job passes from the call of enqueue to its written
 * success: those with methods that a debugger sees entered in a process with the core
 * alone, for each of several jobs, in the threads that do more than without a job. It is
 * done with {@code -Dplain.job=true}, and is in {@code target/plain-job.txt} as well.
 */
@EnabledIfSystemProperty(named = "plain.job", matches = "true")
class PlainJobTests {

	private static final Path SOURCES = Path.of("src", "main", "java");

	@Test
	void theFilesOfAPlainJobArePrinted() throws Exception {
		Set<String> direct = files("direct");
		Set<String> claimed = files("claimed");
		assertThat(direct).contains("io/rowqueue/engine/claim/DirectStarts.java");
		assertThat(claimed).contains("io/rowqueue/engine/claim/ClaimLoop.java");
		String table = table(direct, claimed);
		Files.writeString(Path.of("target", "plain-job.txt"), table);
		System.out.println(table);
	}

	private static String table(Set<String> direct, Set<String> claimed) {
		Map<String, Set<String>> packages = new TreeMap<>();
		for (Set<String> files : List.of(direct, claimed)) {
			files.forEach((file) -> packages.computeIfAbsent(packageOf(file), (name) -> new TreeSet<>()).add(file));
		}
		String row = "%-32s %15s %10s  %s%n";
		StringBuilder table = new StringBuilder();
		table.append(row.formatted("package", "starts directly", "is claimed", "files"));
		packages.forEach((name, files) -> table.append(row.formatted(name, count(files, direct), count(files, claimed),
				files.stream().map(PlainJobTests::simpleName).collect(Collectors.joining(" ")))));
		return table.append(row.formatted("all", direct.size(), claimed.size(), "")).toString();
	}

	private static long count(Set<String> files, Set<String> passed) {
		return files.stream().filter(passed::contains).count();
	}

	private static String packageOf(String file) {
		return file.substring(0, file.lastIndexOf('/')).replace('/', '.');
	}

	private static String simpleName(String file) {
		return file.substring(file.lastIndexOf('/') + 1).replace(".java", "");
	}

	/** The files of the way that jobs take. */
	private static Set<String> files(String way) throws Exception {
		ListeningConnector connector = Bootstrap.virtualMachineManager()
			.listeningConnectors()
			.stream()
			.filter((each) -> each.transport().name().equals("dt_socket"))
			.findFirst()
			.orElseThrow();
		Map<String, Connector.Argument> arguments = connector.defaultArguments();
		arguments.get("localAddress").setValue("127.0.0.1");
		String address = connector.startListening(arguments);
		Process process = ChildProcesses.start(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
				"-agentlib:jdwp=transport=dt_socket,suspend=y,address=" + address), Jobs.class, way);
		try {
			VirtualMachine machine = connector.accept(arguments);
			Debugger debugger = new Debugger(machine);
			List<Map<String, Set<String>>> windows = debugger.windows();
			assertThat(process.waitFor()).isZero();
			return passedByEach(windows);
		}
		finally {
			process.destroyForcibly();
			connector.stopListening(arguments);
		}
	}

	/** The last window has no job. */
	private static Set<String> passedByEach(List<Map<String, Set<String>>> windows) {
		assertThat(windows).hasSize(Jobs.COUNT + 1);
		Map<String, Set<String>> idle = windows.remove(Jobs.COUNT);
		List<Set<String>> passed = windows.stream().map((window) -> passed(window, idle)).toList();
		Set<String> byEach = new TreeSet<>(passed.get(0));
		passed.forEach(byEach::retainAll);
		return byEach;
	}

	private static Set<String> passed(Map<String, Set<String>> window, Map<String, Set<String>> idle) {
		Set<String> passed = new TreeSet<>();
		window.forEach((thread, files) -> {
			if (!idle.getOrDefault(thread, Set.of()).containsAll(files)) {
				passed.addAll(files);
			}
		});
		return passed;
	}

	/** Sees which methods are entered between each begin and its end. */
	private static final class Debugger {

		private final VirtualMachine machine;

		private final MethodEntryRequest entries;

		private final Map<ReferenceType, String> files = new HashMap<>();

		private final List<Map<String, Set<String>>> windows = new ArrayList<>();

		Debugger(VirtualMachine machine) {
			this.machine = machine;
			EventRequestManager requests = machine.eventRequestManager();
			ClassPrepareRequest prepared = requests.createClassPrepareRequest();
			prepared.addClassFilter(Jobs.class.getName());
			prepared.enable();
			this.entries = requests.createMethodEntryRequest();
			this.entries.addClassFilter("io.rowqueue.*");
			this.entries.setSuspendPolicy(EventRequest.SUSPEND_NONE);
		}

		/** The files that each thread enters. */
		List<Map<String, Set<String>>> windows() throws InterruptedException {
			this.machine.resume();
			while (true) {
				EventSet events = this.machine.eventQueue().remove();
				for (Event event : events) {
					if (event instanceof VMDisconnectEvent) {
						return this.windows;
					}
					seen(event);
				}
				if (events.suspendPolicy() != EventRequest.SUSPEND_NONE) {
					events.resume();
				}
			}
		}

		private void seen(Event event) {
			if (event instanceof ClassPrepareEvent prepared) {
				breakAt(prepared.referenceType(), "begin");
				breakAt(prepared.referenceType(), "end");
			}
			else if (event instanceof BreakpointEvent reached) {
				if (reached.location().method().name().equals("begin")) {
					this.windows.add(new HashMap<>());
					this.entries.enable();
				}
				else {
					this.entries.disable();
				}
			}
			else if (event instanceof MethodEntryEvent entry) {
				String file = this.files.computeIfAbsent(entry.method().declaringType(), Debugger::file);
				if (Files.exists(SOURCES.resolve(file))) {
					this.windows.get(this.windows.size() - 1)
						.computeIfAbsent(entry.thread().name(), (name) -> new TreeSet<>())
						.add(file);
				}
			}
		}

		private void breakAt(ReferenceType type, String method) {
			this.machine.eventRequestManager()
				.createBreakpointRequest(type.methodsByName(method).get(0).location())
				.enable();
		}

		private static String file(ReferenceType type) {
			try {
				return type.sourcePaths(null).get(0);
			}
			catch (AbsentInformationException ex) {
				return "generated";
			}
		}

	}

	/** A process with the core alone. */
	static final class Jobs {

		static final int COUNT = 5;

		private static final Set<String> WAYS = Set.of("direct", "claimed");

		private Jobs() {
		}

		public static void main(String[] arguments) throws Exception {
			assertThat(WAYS).contains(arguments[0]);
			try (Engine engine = Engine.withOwnDatabase()) {
				TestProcess.Builder builder = engine.process()
					.withoutPolling()
					.concurrency(1)
					.handle("plain", String.class, (payload, context) -> {
					});
				TestProcess process = (arguments[0].equals("direct") ? builder.directStart() : builder)
					.startAndListen();
				run(engine, process);
				run(engine, process);
				for (int i = 0; i < COUNT; i++) {
					begin();
					run(engine, process);
					end();
				}
				begin();
				LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(3));
				end();
			}
		}

		private static void run(Engine engine, TestProcess process) {
			long before = engine.finished();
			process.queue().enqueue("plain", "a");
			Awaitility.await().until(() -> engine.finished() > before);
			// what follows the commit
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
		}

		private static void begin() {
		}

		private static void end() {
		}

	}

}

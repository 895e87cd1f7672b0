package io.rowqueue.lab;

import java.util.Arrays;

import io.rowqueue.lab.bench.Bench;
import io.rowqueue.lab.cost.CostBench;
import io.rowqueue.lab.horizon.Adapter;
import io.rowqueue.lab.horizon.Horizon;
import io.rowqueue.lab.peer.PeerRun;
import io.rowqueue.lab.scale.ScaleBench;
import io.rowqueue.lab.verify.Verify;
import io.rowqueue.lab.verify.process.WorkerMain;

/** The programs of the lab; the first argument selects one. */
public final class Lab {

	private Lab() {
	}

	/**
	 * Runs a program.
	 * @param arguments its name and its arguments
	 * @throws Exception if it fails
	 */
	public static void main(String[] arguments) throws Exception {
		String program = (arguments.length > 0) ? arguments[0] : "";
		String[] rest = Arrays.copyOfRange(arguments, Math.min(1, arguments.length), arguments.length);
		switch (program) {
			case "peer" -> PeerRun.main(rest);
			case "bench" -> System.exit(Bench.run(rest));
			case "scale" -> System.exit(ScaleBench.run(rest));
			case "cost" -> System.exit(CostBench.run(rest));
			case "horizon" -> System.exit(Horizon.run(rest));
			case "adapter" -> Adapter.main(rest);
			case "verify" -> System.exit(Verify.run(rest));
			case "jmh" -> org.openjdk.jmh.Main.main(rest);
			case "worker" -> WorkerMain.main(rest);
			default -> throw new IllegalArgumentException(
					"peer, bench, scale, cost, horizon, adapter, verify or jmh, not '" + program + "'");
		}
	}

}

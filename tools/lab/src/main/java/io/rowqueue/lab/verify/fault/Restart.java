package io.rowqueue.lab.verify.fault;

import java.util.Optional;

import io.rowqueue.lab.verify.site.Sites;
import io.rowqueue.postgres.PrivatePostgres;
import io.rowqueue.postgres.StopMode;

/** The server is stopped and started again. */
final class Restart implements FaultUnderLoad {

	private final StopMode mode;

	Restart(StopMode mode) {
		this.mode = mode;
	}

	@Override
	public String name() {
		return "restart-" + this.mode;
	}

	@Override
	public String description() {
		return (this.mode == StopMode.FAST) ? "the server is stopped in good order and started again"
				: "the server crashes and recovers from its log";
	}

	@Override
	public Optional<String> obstacle(Sites sites) {
		return sites.refuseGiven("only one of verify's own is restarted");
	}

	@Override
	public void strike(Scene scene) throws InterruptedException {
		PrivatePostgres server = scene.site().server().orElseThrow();
		do {
			scene.harm("pg_ctl stop -m " + this.mode);
			server.stop(this.mode);
			scene.pause(100, 3000);
			server.start();
			scene.healed("the server answers again");
			// a connection pool may sleep for 5 s before it tries again
			scene.pause(6000, 10000);
		}
		while (!scene.isOver());
	}

}

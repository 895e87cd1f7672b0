package io.rowqueue.lab.verify.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;

import io.rowqueue.lab.verify.site.Site;
import io.rowqueue.lab.verify.site.Sites;
import io.rowqueue.lab.verify.site.TurnedClockSite;

/**
 * The clock of the database goes back by an hour, as after a failover to a machine whose
 * clock is behind. Jobs that were due stay due; retries and delays that begin afterwards
 * last as long as they should. Those that began before are due later by an hour, as the
 * guarantees say: an administrator reschedules them.
 */
final class ClockBack implements FaultUnderLoad {

	@Override
	public String name() {
		return "clock-back";
	}

	@Override
	public String description() {
		return "the clock of the database goes back by an hour; a worker is killed before and another one after that";
	}

	@Override
	public Optional<String> obstacle(Sites sites) {
		return sites.refuseGiven("only the clock of verify's own is changed").or(Faketime::obstacle);
	}

	@Override
	public Site site(Sites sites) throws IOException {
		Path offset = Files.writeString(Files.createDirectories(sites.home("clock-back")).resolve("offset"), "+1h\n");
		return new TurnedClockSite(sites.createIn("clock-back/server", Faketime.asIn(offset)), offset);
	}

	@Override
	public void strike(Scene scene) throws InterruptedException, IOException, SQLException {
		TurnedClockSite site = (TurnedClockSite) scene.site();
		scene.killAndReplace(scene.workers().any(scene.random()));
		scene.pause(500, 1000);
		scene.harm("the clock of the database goes back by an hour");
		site.turnBack();
		scene.pause(4000, 5000); // each server process reads the offset once a second
		int brought = site.bringForward();
		scene.healed("it stays there; " + brought + " retries from before are brought forward");
		do {
			scene.killAndReplace(scene.workers().any(scene.random()));
			scene.pause(2000, 5000);
		}
		while (!scene.isOver());
	}

}

package io.rowqueue.lab.verify.fault;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.rowqueue.lab.verify.site.Site;
import io.rowqueue.lab.verify.site.Sites;

/** The server takes no further connection. */
final class NoSlots implements FaultUnderLoad {

	@Override
	public String name() {
		return "slots";
	}

	@Override
	public String description() {
		return "others take all connections of the server, those of the workers included, and give them back later";
	}

	@Override
	public Optional<String> obstacle(Sites sites) {
		return sites.refuseGiven("others may need its connections");
	}

	@Override
	public void strike(Scene scene) throws InterruptedException, SQLException {
		do {
			List<Connection> taken = new ArrayList<>();
			try (Connection admin = scene.site().connect()) {
				scene.harm("all connections of the server are taken");
				for (int i = 0; i < 30; i++) {
					takeAll(scene.site(), taken);
					scene.site().cutSessions(admin);
					scene.pause(50, 150);
				}
			}
			finally {
				for (Connection connection : taken) {
					connection.close();
				}
			}
			scene.healed(taken.size() + " connections are given back");
			scene.pause(3000, 5000);
		}
		while (!scene.isOver());
	}

	private static void takeAll(Site site, List<Connection> taken) {
		try {
			while (true) {
				taken.add(site.connect());
			}
		}
		catch (SQLException ex) {
			// there are no more
		}
	}

}

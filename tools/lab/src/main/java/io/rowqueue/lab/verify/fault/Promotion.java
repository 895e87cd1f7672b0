package io.rowqueue.lab.verify.fault;

import java.sql.SQLException;
import java.util.Optional;

import io.rowqueue.lab.verify.site.ReplicatedSite;
import io.rowqueue.lab.verify.site.Site;
import io.rowqueue.lab.verify.site.Sites;

/** The primary dies and its standby takes its place. */
final class Promotion implements FaultUnderLoad {

	@Override
	public String name() {
		return "promote";
	}

	@Override
	public String description() {
		return "the primary crashes and its synchronous streaming standby is promoted; the applications know both addresses";
	}

	@Override
	public Optional<String> obstacle(Sites sites) {
		return System.getProperty("os.name", "").startsWith("Windows")
				? Optional.of("a standby is made with cp, which Windows lacks") : Optional.empty();
	}

	@Override
	public Site site(Sites sites) throws SQLException, InterruptedException {
		return ReplicatedSite.create(sites);
	}

	@Override
	public void strike(Scene scene) throws InterruptedException, SQLException {
		scene.pause(1000, 3000);
		scene.harm("the primary crashes");
		((ReplicatedSite) scene.site()).failOver();
		scene.healed("the standby is promoted");
		scene.awaitEnd();
	}

}

package io.rowqueue.lab.verify.fault;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Optional;

import io.rowqueue.lab.verify.site.Site;
import io.rowqueue.lab.verify.site.Sites;
import io.rowqueue.lab.verify.site.SmallDiskSite;

/** The disk of the tables is full. */
final class FullDisk implements FaultUnderLoad {

	@Override
	public String name() {
		return "disk";
	}

	@Override
	public String description() {
		return "the disk that the tables are on is full for a few seconds, then there is room again";
	}

	@Override
	public Optional<String> obstacle(Sites sites) {
		return SmallDiskSite.obstacle(sites.home("disk"));
	}

	@Override
	public Site site(Sites sites) throws IOException, SQLException {
		return SmallDiskSite.create(sites);
	}

	@Override
	public void strike(Scene scene) throws InterruptedException, IOException {
		SmallDiskSite site = (SmallDiskSite) scene.site();
		do {
			scene.harm("the disk is full");
			for (int i = 0; i < 10; i++) {
				site.fill(); // whatever was freed meanwhile
				scene.pause(200, 500);
			}
			site.free();
			scene.healed("the disk has room");
			scene.pause(3000, 5000);
		}
		while (!scene.isOver());
	}

}

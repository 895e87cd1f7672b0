package io.rowqueue.lab.verify.fault;

import io.rowqueue.devkafka.DevBroker;
import io.rowqueue.lab.verify.site.KafkaSite;
import io.rowqueue.lab.verify.site.Site;
import io.rowqueue.lab.verify.site.Sites;

/** A broker carries the jobs of one type, and does not live long. */
final class BrokerHarmed implements FaultUnderLoad {

	@Override
	public String name() {
		return "kafka";
	}

	@Override
	public String description() {
		return "Kafka carries the jobs of one type; its broker is killed with -9 and started again, or frozen, and workers are"
				+ " killed with -9";
	}

	@Override
	public Site site(Sites sites) {
		return KafkaSite.create(sites);
	}

	@Override
	public void strike(Scene scene) throws InterruptedException {
		DevBroker broker = ((KafkaSite) scene.site()).broker();
		int turn = 0;
		do {
			switch (turn++ % 4) {
				case 0 -> restart(scene, broker, 300, 2000);
				case 1 -> {
					scene.harm("SIGSTOP of the broker");
					broker.freeze();
					scene.pause(1000, 8000);
					broker.resume();
					scene.healed("the broker goes on");
				}
				case 2 -> scene.killAndReplace(scene.workers().any(scene.random()));
				default -> restart(scene, broker, 3000, 6000);
			}
			scene.pause(2000, 4000);
		}
		while (!scene.isOver() || turn < 4);
	}

	private static void restart(Scene scene, DevBroker broker, int leastMillis, int mostMillis)
			throws InterruptedException {
		scene.harm("kill -9 of the broker");
		broker.kill();
		scene.pause(leastMillis, mostMillis);
		broker.start();
		scene.healed("the broker answers again");
	}

}

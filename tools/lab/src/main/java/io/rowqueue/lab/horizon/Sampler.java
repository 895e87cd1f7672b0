package io.rowqueue.lab.horizon;

import java.util.concurrent.TimeUnit;

/**
 * Prints samples at whole multiples of the interval by the clock of the machine, so that
 * those of all processes belong together.
 */
final class Sampler implements Runnable {

	private final AdapterSettings settings;

	private final Samples samples;

	private final Depth depth;

	Sampler(AdapterSettings settings, Samples samples, Depth depth) {
		this.settings = settings;
		this.samples = samples;
		this.depth = depth;
	}

	@Override
	public void run() {
		boolean observer = this.settings.instance() == 0;
		long last = System.nanoTime();
		try {
			while (true) {
				long interval = TimeUnit.SECONDS.toMillis(this.settings.sampleSeconds());
				TimeUnit.MILLISECONDS.sleep(interval - System.currentTimeMillis() % interval);
				if (observer) {
					this.depth.read(this.samples);
				}
				long now = System.nanoTime();
				this.samples.tick((now - last) / 1e9, observer);
				last = now;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}

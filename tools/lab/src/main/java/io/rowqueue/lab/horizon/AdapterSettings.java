package io.rowqueue.lab.horizon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * What the harness asks of an adapter, from the environment.
 *
 * @param url the database, which exists
 * @param instance which process this one is; the first one observes the queue
 * @param workers how many jobs run at once
 * @param rate jobs a second, while no file says otherwise
 * @param rateFile contains the rate, and changes with the phases; {@code null}: none
 * @param paced whether the harness says on the standard input when to enqueue how many
 * @param depth how many jobs to keep waiting instead of a rate; 0: there is a rate
 * @param batch at most so many jobs are enqueued together
 * @param batchMillis how often jobs are enqueued
 * @param payloadBytes the size of a payload
 * @param workMillis how long a job takes
 * @param sampleSeconds how often samples are printed
 */
record AdapterSettings(String url, int instance, int workers, int rate, @Nullable Path rateFile, boolean paced,
		int depth, int batch, int batchMillis, int payloadBytes, int workMillis, int sampleSeconds) {

	static AdapterSettings from(Map<String, String> environment) {
		String scenario = environment.getOrDefault("SCENARIO", "long_horizon");
		if (!scenario.equals("long_horizon")) {
			throw new IllegalArgumentException("SCENARIO=" + scenario + " is not supported, only long_horizon");
		}
		boolean fixed = environment.getOrDefault("PRODUCER_MODE", "fixed").equals("fixed");
		String file = environment.get("PRODUCER_RATE_CONTROL_FILE");
		return new AdapterSettings(
				jdbc(Objects.requireNonNull(environment.get("DATABASE_URL"), "DATABASE_URL must be set")),
				number(environment, "BENCH_INSTANCE_ID", 0), number(environment, "WORKER_COUNT", 32),
				number(environment, "PRODUCER_RATE", 800), (file != null) ? Path.of(file) : null,
				fixed && environment.getOrDefault("PRODUCER_PACING", "adapter").equals("harness"),
				fixed ? 0 : number(environment, "TARGET_DEPTH", 1000), number(environment, "PRODUCER_BATCH_MAX", 128),
				number(environment, "PRODUCER_BATCH_MS", 25), number(environment, "JOB_PAYLOAD_BYTES", 256),
				number(environment, "JOB_WORK_MS", 1), number(environment, "SAMPLE_EVERY_S", 5));
	}

	/** The URL of the driver for one such as {@code postgres://user:password@host/db}. */
	static String jdbc(String url) {
		int at = url.lastIndexOf('@');
		String[] account = url.substring(url.indexOf("://") + 3, Math.max(at, url.indexOf("://") + 3)).split(":", 2);
		String jdbc = "jdbc:postgresql://" + url.substring((at < 0) ? url.indexOf("://") + 3 : at + 1);
		String separator = jdbc.contains("?") ? "&" : "?";
		return (at < 0) ? jdbc
				: jdbc + separator + "user=" + account[0] + ((account.length > 1) ? "&password=" + account[1] : "");
	}

	/** The rate of the current phase. */
	double currentRate() {
		if (this.rateFile == null) {
			return this.rate;
		}
		try {
			String text = Files.readString(this.rateFile).strip();
			return text.isEmpty() ? this.rate : Double.parseDouble(text);
		}
		catch (IOException ex) {
			return this.rate; // it is just being written, or was removed at the end
		}
	}

	private static int number(Map<String, String> environment, String name, int otherwise) {
		String value = environment.getOrDefault(name, "");
		return value.isEmpty() ? otherwise : Integer.parseInt(value);
	}

}

package io.rowqueue.lab.contestant;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

import org.jobrunr.configuration.JobRunr;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.scheduling.BackgroundJobRequest;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jspecify.annotations.Nullable;

/** JobRunr with job requests, which need no analysis of byte code. */
final class JobRunrQueue implements Contestant {

	private static final Duration POLL = Duration.ofSeconds(5);

	private static final int POOL = 40;

	private static final int SENTINEL = 7_777_777;

	private final Db db;

	private final Connection watch;

	private final BackgroundJobServer server;

	/** It starts once; later it pauses and resumes. */
	private boolean started;

	private JobRunrQueue(Db db, BackgroundJobServer server) throws SQLException {
		this.db = db;
		this.watch = db.connect();
		this.server = server;
	}

	static JobRunrQueue create(Db db, Ledger ledger) throws SQLException {
		MailHandler.ledger = ledger;
		JobRunr.configure()
			.useStorageProvider(new PostgresStorageProvider(db.pool(POOL)))
			.useBackgroundJobServer(BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
				.andPollInterval(POLL), false)
			.initialize();
		return new JobRunrQueue(db, JobRunr.getBackgroundJobServer());
	}

	@Override
	public String version() {
		return Versions.of(JobRunr.class);
	}

	@Override
	public String settings() {
		return "default worker count, poll " + POLL.toSeconds() + " s (the least it takes), pool " + POOL;
	}

	@Override
	public void enqueue(int job) {
		BackgroundJobRequest.enqueue(new Mail(Payload.of(job)));
	}

	@Override
	public void enqueueAll(int from, int to) {
		BackgroundJobRequest.enqueue(IntStream.range(from, to).mapToObj((job) -> new Mail(Payload.of(job))));
	}

	@Override
	public void fill(int jobs) throws SQLException {
		enqueue(SENTINEL);
		this.db.multiply("jobrunr_jobs", jobs,
				Map.of("id", "g.uid", "jobasjson",
						"replace(replace(t.jobasjson, trim(t.id), g.uid), '" + SENTINEL + "', g.i::text)", "createdat",
						"t.createdat + g.i * interval '1 us'", "updatedat", "t.updatedat + g.i * interval '1 us'"));
	}

	@Override
	public String table() {
		return "jobrunr_jobs";
	}

	@Override
	public String waiting() {
		return "jobrunr_jobs where state in ('ENQUEUED', 'PROCESSING')";
	}

	@Override
	public void startWorker() {
		if (this.started) {
			this.server.resumeProcessing();
			return;
		}
		this.server.start();
		this.started = true;
	}

	@Override
	public void stopWorker() {
		this.server.pauseProcessing();
	}

	@Override
	public boolean isDrained() throws SQLException {
		return Db.isTrue(this.watch, "select not exists (select from " + waiting() + ")");
	}

	/** A job, with the fields that its library reads and writes. */
	public static final class Mail implements JobRequest {

		/** The number of the job. */
		public int n;

		/** The recipient. */
		public @Nullable String to;

		/** The kind of mail. */
		public @Nullable String kind;

		/** Made by the library. */
		public Mail() {
		}

		Mail(Payload payload) {
			this.n = payload.n();
			this.to = payload.to();
			this.kind = payload.kind();
		}

		@Override
		public Class<MailHandler> getJobRequestHandler() {
			return MailHandler.class;
		}

	}

	/** Runs a job; made by the library. */
	public static final class MailHandler implements JobRequestHandler<Mail> {

		private static @Nullable Ledger ledger;

		@Override
		public void run(Mail mail) {
			Objects.requireNonNull(ledger).begin(mail.n);
		}

	}

}

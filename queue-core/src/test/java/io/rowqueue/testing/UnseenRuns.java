package io.rowqueue.testing;

/**
 * While it is open, the database does not learn that jobs run. Workers say so after a
 * second, and on a slow machine that would cost these jobs an attempt when their worker
 * is given up. Of a job that has come back they say so before they run it, and then they
 * do not.
 */
public final class UnseenRuns implements AutoCloseable {

	private final Engine engine;

	private UnseenRuns(Engine engine, String which) {
		this.engine = engine;
		engine.jdbc()
			.execute("create function rowqueue.unseen() returns trigger language plpgsql as 'begin return null; end'");
		engine.jdbc()
			.execute("create trigger unseen before update on rowqueue.job for each row when (" + which
					+ " and old.state = 'starting' and new.state = 'running') execute function rowqueue.unseen()");
	}

	/** Those of jobs that were given away once only. */
	public static UnseenRuns ofFirstLeases(Engine engine) {
		return new UnseenRuns(engine, "old.lease = 1");
	}

	/** Those of all jobs. */
	public static UnseenRuns ofAll(Engine engine) {
		return new UnseenRuns(engine, "true");
	}

	@Override
	public void close() {
		this.engine.jdbc().execute("drop function rowqueue.unseen() cascade");
	}

}

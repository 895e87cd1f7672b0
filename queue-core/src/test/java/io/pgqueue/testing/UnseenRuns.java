package io.pgqueue.testing;

/**
 * While it is open, the database does not learn that jobs run which were given away once
 * only. Workers say so after a second, and on a slow machine that would cost these jobs
 * an attempt when their worker is given up.
 */
public final class UnseenRuns implements AutoCloseable {

	private final Engine engine;

	public UnseenRuns(Engine engine) {
		this.engine = engine;
		engine.jdbc()
			.execute("create function queue.unseen() returns trigger language plpgsql as 'begin return null; end'");
		engine.jdbc()
			.execute("create trigger unseen before update on queue.job for each row"
					+ " when (old.lease = 1 and old.state = 'starting' and new.state = 'running')"
					+ " execute function queue.unseen()");
	}

	@Override
	public void close() {
		this.engine.jdbc().execute("drop function queue.unseen() cascade");
	}

}

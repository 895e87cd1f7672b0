package io.rowqueue.engine.job;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rowqueue.EnqueueResult;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;

/**
 * Stores the tags, headers and expiry of jobs, in tables of their own: other jobs have no
 * statement, row or index entry more. Requires the transaction that stores the jobs.
 */
final class LabelStatement {

	/** The headers of a job decide when it expires; the table leads to it. */
	private static final String STORE = """
			with expiry as (
				insert into {schema}.job_expiry (job_id, expires_at)
				select * from unnest(?::bigint[], ?::timestamptz[])
				on conflict (job_id) do update set expires_at = excluded.expires_at)
			insert into {schema}.job_tag (job_id, name, value)
			select * from unnest(?::bigint[], ?::text[], ?::text[]) on conflict do nothing""";

	private static final String STORE_ON_FAILURE = "select {schema}.store_on_failure(?, ?::jsonb[])";

	private final QueueDatabase database;

	LabelStatement(QueueDatabase database) {
		this.database = database;
	}

	/** Stores what new jobs have, and returns their ids. */
	List<Long> execute(List<NewJob> jobs, List<Long> ids) {
		if (any(jobs)) {
			store(jobs, ids);
		}
		return ids;
	}

	/** Stores what those jobs have that were stored or replaced. */
	void executeKeyed(List<NewJob> jobs, List<EnqueueResult> results) {
		if (!any(jobs)) {
			return;
		}
		// a later request replaces the job of an earlier one
		Map<Long, NewJob> stored = new LinkedHashMap<>();
		for (int i = 0; i < jobs.size(); i++) {
			EnqueueResult result = results.get(i);
			if (result.created() || result.outcome() == Outcome.REPLACED) {
				stored.put(result.id(), jobs.get(i));
			}
		}
		store(List.copyOf(stored.values()), List.copyOf(stored.keySet()));
	}

	/** No stream, since each enqueue asks. */
	private static boolean any(List<NewJob> jobs) {
		for (NewJob job : jobs) {
			if (job.hasLabels()) {
				return true;
			}
		}
		return false;
	}

	private void store(List<NewJob> jobs, List<Long> ids) {
		List<Expiry> expiries = new ArrayList<>();
		List<Label> labels = new ArrayList<>();
		for (int i = 0; i < jobs.size(); i++) {
			long id = ids.get(i);
			NewJob job = jobs.get(i);
			Instant expiresAt = job.request().expiresAt();
			if (expiresAt != null) {
				expiries.add(new Expiry(id, expiresAt));
			}
			job.request().tags().forEach((tag) -> labels.add(new Label(id, "", tag)));
			job.request().headers().forEach((name, value) -> labels.add(new Label(id, name, value)));
		}
		storeOnFailure(jobs, ids);
		this.database.update(STORE,
				(statement) -> new Parameters(statement).array("bigint", expiries, Expiry::jobId)
					.array("timestamptz", expiries, (expiry) -> Sql.text(expiry.expiresAt()))
					.array("bigint", labels, Label::jobId)
					.array("text", labels, Label::name)
					.array("text", labels, Label::value));
	}

	private void storeOnFailure(List<NewJob> jobs, List<Long> ids) {
		List<Long> failing = new ArrayList<>();
		List<String> consequences = new ArrayList<>();
		for (int i = 0; i < jobs.size(); i++) {
			NewJob onFailure = jobs.get(i).onFailure();
			if (onFailure != null) {
				failing.add(ids.get(i));
				consequences.add(onFailure.forFailure());
			}
		}
		if (!failing.isEmpty()) {
			this.database.query(STORE_ON_FAILURE,
					(statement) -> new Parameters(statement).numbers(failing).texts(consequences),
					(row, index) -> true);
		}
	}

	private record Expiry(long jobId, Instant expiresAt) {

	}

	/** A tag has no name. */
	private record Label(long jobId, String name, String value) {

	}

}

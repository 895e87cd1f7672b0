package io.rowqueue.engine.admin;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Unique keys of jobs, and the jobs that have them. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects a statement
 * or is not available.
 */
final class KeyStore {

	/** The job before its follow-ups. */
	private static final String OF_KEY = """
			select k.id from (
				select 0 as place, id, type from {schema}.job where unique_key = ? and indexed_state <> 'failed'
				union all
				select 1, id, type from {schema}.job_follow_up where unique_key = ?) k
			where ?::text is null or k.type = ? order by k.place, k.id""";

	private static final String RELEASE_KEY = """
			delete from {schema}.taken_key where unique_key = ? and taken_until > clock_timestamp()""";

	private final ChangeScope changes;

	KeyStore(ChangeScope changes) {
		this.changes = changes;
	}

	/**
	 * Returns the job that has a unique key, before its follow-ups.
	 * @param type only jobs of this type, or {@code null} for all types
	 */
	List<Long> ofKey(String uniqueKey, @Nullable String type) {
		return this.changes.run((database) -> database.query(OF_KEY, (row, index) -> row.getLong("id"), uniqueKey,
				uniqueKey, type, type));
	}

	/** Releases a kept unique key; returns whether it was kept. */
	boolean releaseKey(String uniqueKey) {
		return this.changes.run((database) -> database.update(RELEASE_KEY, uniqueKey) == 1);
	}

}

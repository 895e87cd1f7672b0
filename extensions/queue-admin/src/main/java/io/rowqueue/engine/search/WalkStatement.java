package io.rowqueue.engine.search;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.rowqueue.admin.JobView;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.search.JobSource.Chunk;
import io.rowqueue.engine.search.JobSource.Hit;
import org.jspecify.annotations.Nullable;

/**
 * Reads a chunk of a list: looks at some jobs in their order, and returns those that the
 * filter selects and the last one, which says how far it came. What is looked at is kept
 * without payload and error; the rows of the page are read again.
 */
final class WalkStatement {

	/**
	 * The jobs to look at, and the row of one of them, are formatted into it. A list by
	 * failures can end with a job that is no longer kept.
	 */
	private static final String WALK = """
			with looked as materialized (
				select row_number() over () as n, l.* from (%s) l),
			page as (select n from looked where hit order by n limit ?),
			chosen as (select n from page union select max(n) from looked)
			select l.k1, l.k2, l.k3, exists (select from page p where p.n = l.n) as hit, l.n as place, %s
			from chosen join looked l using (n) left join lateral %s j on true order by l.n""";

	private final QueueDatabase database;

	private final String columns;

	/**
	 * Creates the statement.
	 * @param columns what is read of the rows of the page
	 */
	WalkStatement(QueueDatabase database, String columns) {
		this.database = database;
		this.columns = columns;
	}

	/**
	 * Looks at some jobs.
	 * @param source whose times are meant
	 * @param looked selects {@code id, k1, k2, k3, hit} in order
	 * @param row the row of a job {@code l}
	 * @param arguments of the jobs to look at
	 * @param hits how many jobs that the filter selects are wanted at most
	 */
	Chunk read(JobSource source, String looked, String row, List<@Nullable Object> arguments, int hits) {
		List<@Nullable Object> all = new ArrayList<>(arguments);
		all.add(hits);
		List<Place> places = this.database.jdbc()
			.query(Sql.in(this.database.schema(), sql(looked, row)), (found, index) -> place(found), all.toArray());
		if (places.isEmpty()) {
			return Chunk.NOTHING;
		}
		Place last = places.get(places.size() - 1);
		Instant time = (last.job() != null) ? source.time(last.job()) : null;
		return new Chunk(places.stream().flatMap(Place::hit).toList(), last.number(), last.keys(), time);
	}

	private String sql(String looked, String row) {
		return WALK.formatted(looked, this.columns, row);
	}

	private static Place place(ResultSet row) throws SQLException {
		row.getLong("id");
		return new Place(row.wasNull() ? null : JobRowStatement.job(row),
				List.of(row.getString("k1"), row.getString("k2"), row.getString("k3")), row.getBoolean("hit"),
				row.getLong("place"));
	}

	/**
	 * A job that was looked at, as the number-th of its chunk; {@code null} if it is no
	 * longer kept.
	 */
	private record Place(@Nullable JobView job, List<String> keys, boolean selected, long number) {

		Stream<Hit> hit() {
			return (this.selected && this.job != null) ? Stream.of(new Hit(this.job, this.keys)) : Stream.empty();
		}

	}

}

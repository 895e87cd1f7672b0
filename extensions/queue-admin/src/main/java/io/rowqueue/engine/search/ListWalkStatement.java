package io.rowqueue.engine.search;

import java.time.Instant;
import java.util.List;

import io.rowqueue.admin.JobView;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.search.NamedParameters.Bound;
import org.jspecify.annotations.Nullable;

/** Jobs that an index leads to. */
final class ListWalkStatement implements JobSource {

	/** More than any list has that is read whole. */
	private static final int WHOLE = 25_000;

	private static final int FIRST_CHUNK = 500;

	private static final int LARGEST_CHUNK = 8000;

	private static final long BUDGET = 50_000;

	private static final String ROW = JobRowStatement.OF_ID.formatted("l.id");

	private final WalkStatement walk;

	private final ListStatement list;

	private final FilterCondition condition;

	private final NamedParameters parameters;

	ListWalkStatement(WalkStatement walk, ListStatement list, FilterCondition condition, NamedParameters parameters) {
		this.walk = walk;
		this.list = list;
		this.condition = condition;
		this.parameters = parameters;
	}

	@Override
	public String name() {
		return this.list.name();
	}

	@Override
	public List<String> start() {
		return this.list.start();
	}

	@Override
	public long budget() {
		return BUDGET;
	}

	@Override
	public @Nullable Instant time(JobView job) {
		return this.list.time(job);
	}

	@Override
	public Chunk read(List<String> after, int round, int hits) {
		int size = size(round, hits);
		for (int i = 0; i < after.size(); i++) {
			this.parameters.with("k" + (i + 1), after.get(i));
		}
		Bound looked = this.parameters.with("size", size).bind(this.list.sql());
		Chunk chunk = this.walk.read(this, looked.sql(), ROW, looked.arguments(), hits);
		return (chunk.looked() < size) ? new Chunk(chunk.hits(), chunk.looked(), null, chunk.time()) : chunk;
	}

	/**
	 * Counts jobs without sorting them, if the index leads to no others.
	 * @param limit where counting stops
	 * @return how many; {@code null}: they have to be looked at
	 */
	@Nullable Long count(QueueDatabase database, int limit) {
		if (!this.list.isMergedOrOfLanes() || !this.condition.isWithin(this.list.covered())) {
			return null;
		}
		for (int i = 0; i < start().size(); i++) {
			this.parameters.with("k" + (i + 1), start().get(i));
		}
		Bound count = this.parameters.with("size", limit).bind(this.list.count());
		return database.jdbc()
			.query(Sql.in(database.schema(), count.sql()), (row, index) -> row.getLong(1), count.arguments().toArray())
			.get(0);
	}

	private int size(int round, int hits) {
		if (this.list.isReadWhole()) {
			return WHOLE;
		}
		if (this.condition.isWithin(this.list.covered())) {
			return hits;
		}
		return this.list.isMerged() ? FIRST_CHUNK : Math.min(FIRST_CHUNK << Math.min(2 * round, 4), LARGEST_CHUNK);
	}

}

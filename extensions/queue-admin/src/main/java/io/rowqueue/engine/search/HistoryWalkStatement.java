package io.rowqueue.engine.search;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.rowqueue.admin.JobView;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.admin.filter.TimeRange;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.search.FilterCondition.Part;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that have finished, read from the newest end of the history: as long as nothing is
 * deleted from its partitions, their last blocks have their latest jobs. A chunk is a
 * range of blocks, whatever is in them. The jobs come in the order in which they lie,
 * which is roughly the order in which they finished, and each of them once.
 */
final class HistoryWalkStatement implements JobSource {

	/** Also those that are in no partition of a day, which come first. */
	private static final String PARTITIONS = """
			select c.oid::text as key, format('%I.%I', n.nspname, c.relname) as table, c.relname as name,
				pg_relation_size(c.oid) / current_setting('block_size')::bigint as blocks,
				pg_stat_get_tuples_deleted(c.oid) + pg_stat_get_tuples_updated(c.oid) = 0 as appended
			from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_namespace n on n.oid = c.relnamespace
			where i.inhparent = '{schema}.job_finished'::regclass and pg_relation_size(c.oid) > 0""";

	private static final String LOOKED = """
			select j.id, '%1$s' as k1, j.ctid::text as k2, '' as k3, (%3$s) as hit from %2$s j
			where j.ctid < ?::tid and j.ctid >= ?::tid order by j.ctid desc""";

	/** The blocks of a partition are in order of time, unless rows were deleted. */
	private static final String ENDED_IN_BLOCK = """
			select max(finished_at) as ended from %s where ctid >= ?::tid and ctid < ?::tid""";

	private static final Pattern DAY = Pattern.compile("job_finished_(\\d{8})");

	private static final int LARGEST_PIECE = 256;

	private static final int FIRST_PIECE = 4;

	private static final int FIRST_PIECE_OF_SEARCH = 64;

	private static final long BUDGET = 200_000;

	/** So far apart may times be in the order in which jobs are written. */
	private static final long DISORDER_SECONDS = 300;

	private final QueueDatabase database;

	private final WalkStatement walk;

	private final FilterCondition condition;

	private final TimeRange ended;

	private final boolean search;

	private final List<Partition> partitions;

	HistoryWalkStatement(QueueDatabase database, WalkStatement walk, JobFilter filter, FilterCondition condition) {
		this.database = database;
		this.walk = walk;
		this.condition = condition;
		this.ended = filter.ended();
		this.search = filter.states().size() != 2 || !condition.isWithin(Set.of(Part.STATE));
		this.partitions = database
			.query(PARTITIONS,
					(row, index) -> new Partition(row.getString("key"), row.getString("table"), row.getString("name"),
							row.getLong("blocks"), row.getBoolean("appended")))
			.stream()
			.filter((partition) -> partition.has(this.ended))
			.sorted(Comparator.comparing(Partition::name).reversed())
			.toList();
	}

	@Override
	public String name() {
		return "HISTORY";
	}

	/** The default partition is behind all days by name, and so before them here. */
	@Override
	public List<String> start() {
		return List.of("", "", "");
	}

	@Override
	public long budget() {
		return BUDGET;
	}

	@Override
	public @Nullable Instant time(JobView job) {
		return job.finishedAt();
	}

	/**
	 * Pieces are read from the newest end, but a process can write later what ended
	 * earlier.
	 */
	@Override
	public List<JobView> inOrder(List<JobView> jobs) {
		return jobs.stream()
			.sorted(Comparator.comparing(JobView::finishedAt, Comparator.nullsLast(Comparator.reverseOrder()))
				.thenComparing(JobView::id, Comparator.reverseOrder()))
			.toList();
	}

	@Override
	public Chunk read(List<String> after, int round, int hits) {
		int index = index(after.get(0));
		if (index == this.partitions.size()) {
			return Chunk.NOTHING;
		}
		Partition partition = this.partitions.get(index);
		String to = after.get(1).isEmpty() ? "(" + end(partition) + ",0)" : after.get(1);
		long from = Math.max(0, block(to) - blocks(round) + (to.endsWith(",0)") ? 0 : 1));
		List<@Nullable Object> arguments = new ArrayList<>(this.condition.arguments());
		arguments.add(to);
		arguments.add("(" + from + ",0)");
		Chunk chunk = this.walk.read(this, LOOKED.formatted(partition.key(), partition.table(), this.condition.sql()),
				JobRowStatement.OF_PLACE.formatted(partition.table(), "l.k2::tid"), arguments, hits);
		boolean isOver = from == 0 || (partition.appended() && isBefore(chunk.time()));
		List<String> end = isOver ? next(index + 1) : List.of(partition.key(), "(" + from + ",0)", "");
		return new Chunk(chunk.hits(), chunk.looked(), end, chunk.time());
	}

	/** Behind the last block with jobs of the time: those behind it are not read. */
	private long end(Partition partition) {
		Instant until = this.ended.until();
		if (until == null || !partition.appended()) {
			return partition.blocks();
		}
		Instant behind = until.plusSeconds(DISORDER_SECONDS);
		long first = 0;
		long end = partition.blocks();
		while (first < end) {
			long middle = (first + end) / 2;
			Optional<Instant> ended = this.database
				.query(ENDED_IN_BLOCK.formatted(partition.table()),
						(row, index) -> Optional.ofNullable(Sql.instant(row, "ended")), "(" + middle + ",0)",
						"(" + (middle + 1) + ",0)")
				.get(0);
			if (ended.isEmpty() || ended.get().isBefore(behind)) {
				first = middle + 1;
			}
			else {
				end = middle;
			}
		}
		return end;
	}

	private int index(String key) {
		if (key.isEmpty()) {
			return 0;
		}
		for (int i = 0; i < this.partitions.size(); i++) {
			if (this.partitions.get(i).key().equals(key)) {
				return i;
			}
		}
		return this.partitions.size();
	}

	private @Nullable List<String> next(int index) {
		return (index < this.partitions.size()) ? List.of(this.partitions.get(index).key(), "", "") : null;
	}

	private boolean isBefore(@Nullable Instant time) {
		Instant from = this.ended.from();
		return time != null && from != null && time.isBefore(from.minusSeconds(DISORDER_SECONDS));
	}

	private int blocks(int round) {
		int first = this.search ? FIRST_PIECE_OF_SEARCH : FIRST_PIECE;
		return Math.min(first << Math.min(2 * round, 6), LARGEST_PIECE);
	}

	private static long block(String place) {
		return Long.parseLong(place.substring(1, place.indexOf(',')));
	}

	/**
	 * A partition of the history.
	 *
	 * @param key names it in a cursor
	 * @param table its table in SQL
	 * @param name the name of its table
	 * @param blocks how many blocks it has
	 * @param appended whether no job was deleted, so that later ones lie behind earlier
	 * ones
	 */
	private record Partition(String key, String table, String name, long blocks, boolean appended) {

		/**
		 * Whether jobs can be in it that ended in that time. Nothing is known of a
		 * partition that is not one of a day.
		 */
		boolean has(TimeRange ended) {
			Matcher day = DAY.matcher(this.name);
			return !day.matches() || has(day.group(1), ended);
		}

		private static boolean has(String date, TimeRange ended) {
			Instant day = LocalDate.parse(date, DateTimeFormatter.BASIC_ISO_DATE)
				.atStartOfDay(ZoneOffset.UTC)
				.toInstant();
			return (ended.until() == null || day.isBefore(ended.until()))
					&& (ended.from() == null || day.plusSeconds(86_400).isAfter(ended.from()));
		}

	}

}

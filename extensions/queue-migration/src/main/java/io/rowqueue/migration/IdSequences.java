package io.rowqueue.migration;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.rowqueue.schema.SchemaName;
import io.rowqueue.schema.SchemaPart;

/**
 * The sequences of the ids. What copies rows only, such as logical replication, leaves
 * them where they began: ids would be given twice. A sequence is behind if there is a row
 * with an id that it has not given, or if a shard has lost the remainder or the step of
 * its ids.
 */
final class IdSequences {

	/**
	 * After a copy there are no statistics: for want of them, PostgreSQL expects that the
	 * first rows of a table have an id that is greater than all others.
	 */
	private static final String BY_INDEX = "set local enable_seqscan = off; set local enable_bitmapscan = off;"
			+ " set local jit = off";

	/** The sequences of all parts. */
	private static final List<IdSequence> ALL = all();

	/** The sequences whose ids say to which shard they belong. */
	private static final List<String> OF_SHARDS = List.of("job_id_seq", "flow_id_seq", "batch_id_seq");

	/** As in the function join_shards. */
	private static final int STEP_OF_SHARDS = 1024;

	/**
	 * Ids of jobs that are not kept, or that were moved to another shard, may be greater
	 * than those of all rows.
	 */
	private static final int MARGIN = 1_000_000;

	/**
	 * How many of the next ids of a shard are looked for. Moved jobs have ids of other
	 * shards, so that the greatest id does not count.
	 */
	private static final int NEXT_IDS = 1000;

	private final Connection connection;

	private final SchemaName schema;

	IdSequences(Connection connection, SchemaName schema) {
		this.connection = connection;
		this.schema = schema;
	}

	private static List<IdSequence> all() {
		Map<String, List<String>> columns = new TreeMap<>();
		for (SchemaPart part : SchemaPart.all()) {
			part.idColumns()
				.forEach((sequence, ids) -> columns.computeIfAbsent(sequence, (name) -> new ArrayList<>()).addAll(ids));
		}
		return columns.entrySet().stream().map((each) -> new IdSequence(each.getKey(), each.getValue())).toList();
	}

	static List<String> names() {
		return ALL.stream().map(IdSequence::name).toList();
	}

	/**
	 * Returns the sequences that are behind. As long as none is, this reads one entry of
	 * each index, of each partition in the case of job_finished.
	 */
	List<Behind> behind() throws SQLException {
		List<Behind> behind = new ArrayList<>();
		try (Statement statement = this.connection.createStatement()) {
			statement.execute(BY_INDEX);
			ResultSet row = statement.executeQuery(comparison());
			row.next();
			for (int i = 0; i < ALL.size(); i++) {
				if (row.getBoolean(i + 1)) {
					behind.add(remedy(ALL.get(i)));
				}
			}
		}
		return behind;
	}

	/** One row, with a column for each sequence: whether it is behind. */
	private String comparison() {
		return "select " + ALL.stream().map(this::isBehind).collect(Collectors.joining(",\n"));
	}

	/** Returns the expression of whether one of them is behind. */
	String anyBehind() {
		return ALL.stream().map(this::isBehind).collect(Collectors.joining(" or "));
	}

	/** Lets the sequences continue beyond all ids. Requires that the role may. */
	void advance(List<Behind> sequences) throws SQLException {
		try (Statement statement = this.connection.createStatement()) {
			for (Behind sequence : sequences) {
				statement.execute(sequence.remedy());
			}
		}
	}

	/**
	 * The position of a sequence that was not used since it was set is readable with a
	 * privilege that a role may lack. The next id is not, and nobody misses one.
	 */
	private String isBehind(IdSequence sequence) {
		return """
				(select coalesce(case
						when m.number is null then {later}
						else s.increment <> {step} or s.position < m.first_id or s.position % {step} <> m.number or exists (
							select from generate_series(s.position + {step}, s.position + {step} * {next}::bigint, {step}) n (id)
							where {taken})
					end, false)
				from (select) one left join {schema}.own_ids m on {sharded}
				cross join lateral (
					select q.seqincrement as increment, case
							when not has_sequence_privilege(q.seqrelid, 'USAGE') then null
							when pg_sequence_last_value(q.seqrelid) is not null then pg_sequence_last_value(q.seqrelid)
							when m.number is not null or {used} then nextval(q.seqrelid) end as position
					from pg_sequence q where q.seqrelid = {sequence}::regclass) s)"""
			.replace("{later}", sequence.exists(this.schema, " > s.position"))
			.replace("{taken}", sequence.exists(this.schema, " = n.id"))
			.replace("{used}", sequence.exists(this.schema, " >= q.seqstart"))
			.replace("{sharded}", String.valueOf(OF_SHARDS.contains(sequence.name())))
			.replace("{step}", String.valueOf(STEP_OF_SHARDS))
			.replace("{next}", String.valueOf(NEXT_IDS))
			.replace("{sequence}", literal(sequence))
			.replace("{schema}", this.schema.quoted());
	}

	private Behind remedy(IdSequence sequence) throws SQLException {
		String sql = """
				select case when m.number is null then greatest({ids}, q.last) + {margin}
						else (greatest({ids}, q.last, m.first_id) / {step} + 1 + {margin}) * {step} + m.number end,
					m.number is not null and q.increment <> {step}, q.advance, q.own
				from (
					select pg_sequence_last_value(q.seqrelid) as last, q.seqincrement as increment,
						has_sequence_privilege(q.seqrelid, 'UPDATE') as advance, pg_has_role(c.relowner, 'USAGE') as own
					from pg_sequence q join pg_class c on c.oid = q.seqrelid where q.seqrelid = {sequence}::regclass) q
				left join {schema}.own_ids m on {sharded}""".replace("{ids}", sequence.greatest(this.schema))
			.replace("{sharded}", String.valueOf(OF_SHARDS.contains(sequence.name())))
			.replace("{step}", String.valueOf(STEP_OF_SHARDS))
			.replace("{margin}", String.valueOf(MARGIN))
			.replace("{sequence}", literal(sequence))
			.replace("{schema}", this.schema.quoted());
		try (Statement statement = this.connection.createStatement(); ResultSet row = statement.executeQuery(sql)) {
			row.next();
			boolean lostStep = row.getBoolean(2);
			String step = lostStep ? "alter sequence " + this.schema.quoted() + "." + sequence.name() + " increment by "
					+ STEP_OF_SHARDS + "; " : "";
			return new Behind(sequence.name(),
					step + "select setval(" + literal(sequence) + ", " + row.getLong(1) + ");",
					row.getBoolean(3) && (!lostStep || row.getBoolean(4)));
		}
	}

	/** The name of a schema may contain any character. */
	private String literal(IdSequence sequence) {
		String name = this.schema.quoted() + "." + sequence.name();
		return (name.contains("\\") ? "E" : "") + "'" + name.replace("\\", "\\\\").replace("'", "''") + "'";
	}

	/**
	 * A sequence and where its ids are.
	 *
	 * @param name the name of the sequence
	 * @param columns the columns with its ids
	 */
	private record IdSequence(String name, List<String> columns) {

		String exists(SchemaName schema, String condition) {
			return this.columns.stream()
				.map((column) -> "exists (select from " + schema.quoted() + "." + table(column) + " where "
						+ name(column) + condition + ")")
				.collect(Collectors.joining(" or ", "(", ")"));
		}

		/** Of a shard, only its own ids count. */
		String greatest(SchemaName schema) {
			return this.columns.stream()
				.map((column) -> "(select max(" + name(column) + ") from " + schema.quoted() + "." + table(column)
						+ " where m.number is null or (" + name(column) + " >= m.first_id and " + name(column)
						+ " % {step} = m.number))")
				.collect(Collectors.joining(", "));
		}

		private static String table(String column) {
			return column.substring(0, column.indexOf('.'));
		}

		private static String name(String column) {
			return column.substring(column.indexOf('.') + 1);
		}

	}

	/**
	 * A sequence that is behind.
	 *
	 * @param name its name
	 * @param remedy the SQL that lets it continue beyond all ids
	 * @param mayAdvance whether the role may execute that
	 */
	record Behind(String name, String remedy, boolean mayAdvance) {

		static String remedies(List<Behind> sequences) {
			return sequences.stream().map(Behind::remedy).collect(Collectors.joining(" "));
		}

	}

}

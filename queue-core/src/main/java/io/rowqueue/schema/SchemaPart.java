package io.rowqueue.schema;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * A part of the queue's schema: the core, or what a module adds to it, such as recurring
 * jobs. A part has migrations of its own, in the folder {@code migration} beside its
 * class, which run after those of the core, and a version of its own. A part that is not
 * on the class path has no tables.
 * <p>
 * A module names its part in {@code META-INF/services/io.rowqueue.schema.SchemaPart}.
 * What the core calls in the database are functions of the part, which the function
 * {@code call_parts} describes.
 *
 * @since 0.1.0
 */
public abstract class SchemaPart {

	private final String name;

	private final Migrations migrations;

	/**
	 * Creates the part.
	 * @param name its name, that of its module, such as "schedules"
	 */
	protected SchemaPart(String name) {
		this.name = name;
		this.migrations = new Migrations(getClass().getPackageName().replace('.', '/') + "/migration");
	}

	/**
	 * Returns the columns with ids from sequences, each of which is the first one of an
	 * index. A sequence that is behind one of them, as after a copy of the rows only, is
	 * advanced at the start.
	 * @return the columns, as "table.column", by the sequence; none by default
	 */
	public Map<String, List<String>> idColumns() {
		return Map.of();
	}

	/**
	 * Returns the tables that a role need not have privileges on, since the part does
	 * without them.
	 * @return none by default
	 */
	public Set<String> optionalTables() {
		return Set.of();
	}

	/**
	 * Returns the name of the part.
	 * @return that of its module, such as "schedules"
	 */
	public final String name() {
		return this.name;
	}

	/**
	 * Returns the files that create and upgrade the part.
	 * @return its migrations
	 */
	public final Migrations migrations() {
		return this.migrations;
	}

	/**
	 * Returns the version that this library requires.
	 * @return at least 1
	 */
	public final int newestVersion() {
		return this.migrations.newestVersion();
	}

	@Override
	public final String toString() {
		return this.name;
	}

	/**
	 * Returns the core.
	 * @return the part that all others need
	 */
	public static SchemaPart core() {
		return all().get(0);
	}

	/**
	 * Returns the core and the parts on the class path.
	 * @return all parts, in the order of migrating
	 */
	public static List<SchemaPart> all() {
		return Known.PARTS;
	}

	/**
	 * Returns the names of what all parts have of a kind.
	 * @param kind table, view or function
	 * @return the names, without the schema
	 */
	public static List<String> names(String kind) {
		return all().stream().flatMap((part) -> part.migrations.names(kind).stream()).toList();
	}

	/** The tables for all that belongs to jobs, workers, flows and limits. */
	private static final class Core extends SchemaPart {

		private Core() {
			super("core");
		}

		@Override
		public Map<String, List<String>> idColumns() {
			return Map.of("job_id_seq", List.of("job.id", "job_follow_up.id", "job_finished.id"), "flow_id_seq",
					List.of("flow.id"), "batch_id_seq", List.of("batch.id"), "cancel_request_id_seq",
					List.of("cancel_request.id"));
		}

	}

	private static final class Known {

		private static final List<SchemaPart> PARTS = find();

		private static List<SchemaPart> find() {
			List<SchemaPart> parts = new ArrayList<>();
			ServiceLoader.load(SchemaPart.class, SchemaPart.class.getClassLoader()).forEach(parts::add);
			parts.sort(Comparator.comparing(SchemaPart::name));
			parts.add(0, new Core());
			return List.copyOf(parts);
		}

	}

}

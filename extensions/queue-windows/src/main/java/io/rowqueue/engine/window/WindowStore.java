package io.rowqueue.engine.window;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.ReadableRows;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.database.WhenDue;
import io.rowqueue.engine.job.JobWindows;
import io.rowqueue.window.ClosingPolicy;
import io.rowqueue.window.OpeningHours;
import io.rowqueue.window.Window.Opening;
import io.rowqueue.window.Window;
import io.rowqueue.window.WindowStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stored windows, and whether they are open. Every method is one statement, and
 * throws {@link org.springframework.dao.DataAccessException} if the database rejects it
 * or is not available.
 */
public final class WindowStore implements JobWindows {

	/** Derives the rows that claims read from the rows of windows. */
	private static final String FOLLOW = """

			select {schema}.follow_windows(array_agg(name)) from known""";

	private static final String PUT = """
			with known as (
				insert into {schema}.time_window as w (name, zone, times, queues, types, closing, source, open_from, open_until)
				values (?, ?, ?, ?, ?, ?, ?, ?::timestamptz, ?::timestamptz)
				on conflict (name) do update
				set zone = excluded.zone, times = excluded.times, queues = excluded.queues, types = excluded.types,
					closing = excluded.closing, source = excluded.source, open_from = excluded.open_from,
					open_until = excluded.open_until
				returning w.name)"""
			+ FOLLOW;

	private static final String BOUND = """
			array(
				select unnest(w.handler_types) except select type from said
				union select type from said where "window" = w.name
				order by 1)""";

	/**
	 * Rows are written in a fixed order, since several processes start at the same time.
	 * Windows that have not changed are neither written nor locked.
	 */
	private static final String BIND = """
			with said as materialized (
				select * from unnest(?::text[], ?::text[]) as s (type, "window")),
			affected as materialized (
				select w.name from {schema}.time_window w
				where w.handler_types <> %1$s
				order by w.name for no key update),
			known as (
				update {schema}.time_window w
				set handler_types = %1$s
				where w.name in (select name from affected)
				returning w.name)""".formatted(BOUND) + FOLLOW;

	/** A window that another transaction is changing is moved the next time. */
	private static final String MOVE = """
			with moved as (
				update {schema}.time_window set open_from = ?::timestamptz, open_until = ?::timestamptz
				where name in (
					select name from {schema}.time_window where name = ? and zone = ? and times = ? for no key update skip locked)
				returning name, open_from, open_until)
			update {schema}.pause p set open_from = moved.open_from, open_until = moved.open_until
			from moved where p.source = moved.name""";

	private static final String REMOVE = """
			with gone as (delete from {schema}.time_window where name = ? returning name)
			select count(*), {schema}.follow_windows(array_agg(name)) from gone""";

	private static final String FIND = """
			select w.*, clock_timestamp() as now, w.source = 'code' or exists (
				select from {schema}.worker o where o.dead_at is null and 'window:' || w.name = any (o.declarations)) as declared
			from {schema}.time_window w
			where w.name = coalesce(?, w.name) and w.open_until < coalesce(
				clock_timestamp() + ?::integer * interval '1 hour', 'infinity')
			order by w.name""";

	private static final String STOPPED = """
			select p.kind, p.name from {schema}.pause p where p.source <> '' and p.stops
				and (clock_timestamp() < p.open_from or clock_timestamp() >= p.open_until)
			union all
			select 'window', name from {schema}.time_window
			where closing = 'stop' and (clock_timestamp() < open_from or clock_timestamp() >= open_until)""";

	private static final String NAMES = "select name from {schema}.time_window";

	private static final String ANY = "select exists (select from {schema}.time_window where closing = 'stop')";

	/** An hour before the first window closes. */
	public static final WhenDue NEXT = new WhenDue("""
			(select min(open_until) - interval '1 hour' from {schema}.time_window)""");

	/** So much later a job asks again when a window opens that nobody has moved. */
	private static final Duration ASK_AGAIN = Duration.ofMinutes(1);

	private static final Logger logger = LoggerFactory.getLogger(WindowStore.class);

	private final QueueDatabase database;

	private final ReadableRows rows = new ReadableRows(logger,
			"This process cannot read the window '{}' and does not open it again: {}. Store it again, or remove it with"
					+ " Windows.remove");

	private volatile boolean leftClosing;

	/**
	 * Creates the store.
	 * @param database runs the statements
	 */
	public WindowStore(QueueDatabase database) {
		this.database = database;
	}

	/** Returns the current time of the database's clock. */
	public Instant now() {
		return this.database.now();
	}

	/**
	 * Stores a window, and replaces an existing one with the same name.
	 * @param window the window
	 * @param opening when it is open
	 * @param ofCode whether it was stored by code, and not by properties
	 */
	public void put(Window window, Opening opening, boolean ofCode) {
		this.database.query(PUT, (statement) -> {
			statement.setString(1, window.name());
			statement.setString(2, window.zone().getId());
			statement.setArray(3, Sql.array(statement, "text", window.times(), OpeningHours::toString));
			statement.setArray(4, Sql.array(statement, "text", window.queues(), (name) -> name));
			statement.setArray(5, Sql.array(statement, "text", window.types(), (name) -> name));
			statement.setString(6, window.closing().name().toLowerCase(Locale.ROOT));
			statement.setString(7, ofCode ? "code" : "properties");
			statement.setString(8, Sql.text(opening.from()));
			statement.setString(9, Sql.text(opening.until()));
		}, (row) -> {
		});
	}

	/**
	 * Binds types to the windows that their handlers name, and removes earlier bindings
	 * of their handlers. The types that windows name themselves are not changed.
	 * @param types the types with a handler
	 * @param windows the windows that handlers name, by type
	 */
	public void bind(Collection<String> types, Map<String, String> windows) {
		this.database.query(BIND, (statement) -> {
			statement.setArray(1, Sql.array(statement, "text", types, (type) -> type));
			statement.setArray(2, Sql.array(statement, "text", types, windows::get));
		}, (row) -> {
		});
	}

	/** Moves a window to its next opening, unless it was changed meanwhile. */
	public void move(Window window, Opening opening) {
		this.database.update(MOVE, (statement) -> {
			statement.setString(1, Sql.text(opening.from()));
			statement.setString(2, Sql.text(opening.until()));
			statement.setString(3, window.name());
			statement.setString(4, window.zone().getId());
			statement.setArray(5, Sql.array(statement, "text", window.times(), OpeningHours::toString));
		});
	}

	/** Removes a window; returns false if it does not exist. */
	public boolean remove(String name) {
		return this.database.query(REMOVE, (row, index) -> row.getInt(1), name).get(0) == 1;
	}

	/**
	 * Finds a window.
	 * @throws IllegalArgumentException if this process cannot read it
	 */
	public Optional<WindowStatus> find(String name) {
		return this.database.query(FIND, (row, index) -> status(row), name, null).stream().findFirst();
	}

	/** Returns the names of all windows, also of those that this process cannot read. */
	public Set<String> names() {
		return Set.copyOf(this.database.query(NAMES, (row, index) -> row.getString(1)));
	}

	@Override
	public UnaryOperator<JobRequest> postponement(Supplier<Instant> clock) {
		return new WindowedRequests(this, clock)::putOff;
	}

	/**
	 * Returns when a window opens that is closed; empty if it is open or does not exist.
	 * One that has closed just now may not have been moved to its next opening yet. If
	 * this process cannot read that one, the time at which to ask again.
	 */
	@Override
	public Optional<Instant> closedUntil(String name) {
		return this.database.query(FIND, (row, index) -> closedUntil(row), name, null)
			.stream()
			.flatMap(Optional::stream)
			.findFirst();
	}

	private Optional<Instant> closedUntil(ResultSet row) throws SQLException {
		Instant now = Sql.time(row, "now");
		Instant from = Sql.time(row, "open_from");
		if (now.isBefore(from)) {
			return Optional.of(from);
		}
		if (now.isBefore(Sql.time(row, "open_until"))) {
			return Optional.empty();
		}
		return Optional.of(this.rows.read(row, WindowStore::status)
			.map((status) -> status.window().opening(now).from())
			.orElse(now.plus(ASK_AGAIN)));
	}

	/** Returns the windows that this process can read, ordered by name. */
	public List<WindowStatus> list() {
		return this.database.query(FIND, (row, index) -> this.rows.read(row, WindowStore::status), null, null)
			.stream()
			.flatMap(Optional::stream)
			.toList();
	}

	/**
	 * Returns the windows that close within some hours, or have closed, and that this
	 * process can read.
	 */
	public List<WindowStatus> closingWithin(int hours) {
		AtomicBoolean left = new AtomicBoolean();
		List<Optional<WindowStatus>> closing = this.database.query(FIND, (row, index) -> {
			Optional<WindowStatus> status = this.rows.read(row, WindowStore::status);
			if (status.isEmpty() && Sql.time(row, "open_until").isBefore(Sql.time(row, "now").plus(ASK_AGAIN))) {
				left.set(true);
			}
			return status;
		}, null, hours);
		this.leftClosing = left.get();
		return closing.stream().flatMap(Optional::stream).toList();
	}

	/**
	 * Whether the latest {@link #closingWithin} has left out windows that close within a
	 * minute, or have closed.
	 */
	public boolean hasLeftClosing() {
		return this.leftClosing;
	}

	private static WindowStatus status(ResultSet row) throws SQLException {
		Instant from = Sql.time(row, "open_from");
		Instant until = Sql.time(row, "open_until");
		Instant now = Sql.time(row, "now");
		return new WindowStatus(
				Window.of(row.getString("name"), row.getString("zone"), array(row, "times"))
					.queues(array(row, "queues"))
					.types(array(row, "types"))
					.closing(ClosingPolicy.valueOf(row.getString("closing").toUpperCase(Locale.ROOT))),
				!now.isBefore(from) && now.isBefore(until), from, until, row.getBoolean("declared"),
				Set.copyOf(List.of(array(row, "handler_types"))));
	}

	@Override
	public boolean anyStops() {
		return this.database.query(ANY, (row, index) -> row.getBoolean(1)).get(0);
	}

	@Override
	public Collection<Stopped> stopped() {
		return this.database.query(STOPPED, (row, index) -> new Stopped(row.getString("kind"), row.getString("name")));
	}

	private static String[] array(ResultSet row, String column) throws SQLException {
		Array array = row.getArray(column);
		return (String[]) array.getArray();
	}

}

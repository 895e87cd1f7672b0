package io.rowqueue.engine.figures;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

import io.rowqueue.engine.database.QueueDatabase;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataIntegrityViolationException;

/**
 * Reads a page of groups of errors: group by group in the order in which they were seen
 * last, until the page is full or 2,000 groups were looked at. A page can be empty and
 * still have a next one.
 */
final class ErrorGroupListStatement {

	/** How many groups each statement looks at. */
	private static final List<Integer> PIECES = List.of(200, 1800);

	private static final Pattern CURSOR = Pattern.compile("([0-9-]{10} [0-9:.+-]{8,24})_(-?\\d{1,19})");

	/** Only a class: an exception can also begin with a message. */
	private static final String EXCEPTION = "substring(left(g.sample, 500) from '^(?:[\\w$]+\\.)+[[:upper:]][\\w$]*')";

	private static final String LIST = """
			with looked as materialized (
				select id, row_number() over (order by last_at desc, id desc) as n,
					(?::text is null or status = ?) and (?::text is null or type = ?)
						and (?::text is null or type ilike ? or %2$s ilike ? or lpad(to_hex(id), 16, '0') = lower(?)) as hit
				from (
					select * from {schema}.error_group where (last_at, id) < (?::timestamptz, ?)
					order by last_at desc, id desc limit ?) g),
			page as (select n from looked where hit order by n limit ?),
			chosen as (select n from page union select max(n) from looked)
			select %1$s, left(g.sample, 500) as sample, g.last_at::text as last, l.n as place,
				exists (select from page p where p.n = l.n) as selected
			from chosen join looked l using (n) join {schema}.error_group g using (id) order by l.n""";

	private final QueueDatabase database;

	private final ErrorGroupFilter filter;

	ErrorGroupListStatement(QueueDatabase database, ErrorGroupFilter filter) {
		this.database = database;
		this.filter = filter;
	}

	/**
	 * Reads a page.
	 * @throws IllegalArgumentException if the cursor is none
	 */
	ErrorGroupPage page(@Nullable String cursor, int size) {
		String position = (cursor != null) ? cursor : "infinity_0";
		List<Found> found = new ArrayList<>();
		for (int piece : PIECES) {
			List<Found> looked = read(position, piece, size + 1 - found.size());
			looked.stream().filter(Found::selected).forEach(found::add);
			if (found.size() > size) {
				return page(found.subList(0, size), found.get(size - 1).cursor());
			}
			Found last = looked.isEmpty() ? null : looked.get(looked.size() - 1);
			if (last == null || last.place() < piece) {
				return page(found, null);
			}
			position = last.cursor();
		}
		return page(found, position);
	}

	private static ErrorGroupPage page(List<Found> found, @Nullable String next) {
		return new ErrorGroupPage(found.stream().map(Found::group).toList(), next);
	}

	private List<Found> read(String position, int piece, int hits) {
		int end = position.lastIndexOf('_');
		if (!position.equals("infinity_0") && !CURSOR.matcher(position).matches()) {
			throw invalid(null);
		}
		String text = this.filter.pattern();
		try {
			return this.database.query(
					LIST.formatted(ErrorGroupStore.COLUMNS, this.filter.messages() ? "g.sample" : EXCEPTION),
					(row, index) -> found(row), this.filter.status(), this.filter.status(), this.filter.type(),
					this.filter.type(), text, text, text, this.filter.text(), position.substring(0, end),
					Long.valueOf(position.substring(end + 1)), piece, hits);
		}
		catch (DataIntegrityViolationException | NumberFormatException ex) {
			throw invalid(ex);
		}
	}

	private static IllegalArgumentException invalid(@Nullable Throwable cause) {
		return new IllegalArgumentException("the cursor is invalid; start with the first page", cause);
	}

	private static Found found(ResultSet row) throws SQLException {
		ErrorGroup group = ErrorGroupStore.group(row);
		return new Found(group, row.getBoolean("selected"), row.getInt("place"),
				Objects.requireNonNull(row.getString("last")) + "_" + group.id());
	}

	/** A group that was looked at, as the place-th of its piece. */
	private record Found(ErrorGroup group, boolean selected, int place, String cursor) {

	}

}

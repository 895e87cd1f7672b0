package io.rowqueue.sample.contact;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** The tables of imports, their rows, and contacts. */
@Repository
class ImportStore {

	private final JdbcClient jdbc;

	ImportStore(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	long add(String csv) {
		return this.jdbc.sql("insert into contact_import (csv) values (?) returning id")
			.param(csv)
			.query(Long.class)
			.single();
	}

	String csv(long importId) {
		return this.jdbc.sql("select csv from contact_import where id = ?")
			.param(importId)
			.query(String.class)
			.single();
	}

	void setRows(long importId, int rows) {
		this.jdbc.sql("update contact_import set rows = ? where id = ?").params(rows, importId).update();
	}

	/** Returns empty if the row was processed before. */
	@Transactional
	Optional<ImportProgress> add(long importId, long line, Contact contact) {
		this.jdbc.sql("""
				insert into contact (email, name, import_id) values (?, ?, ?)
				on conflict do nothing""").params(contact.email(), contact.name(), importId).update();
		return done(importId, line, null);
	}

	/** Returns empty if the row was processed before. */
	@Transactional
	Optional<ImportProgress> refuse(long importId, long line, String error) {
		return done(importId, line, error);
	}

	private Optional<ImportProgress> done(long importId, long line, @Nullable String error) {
		boolean first = this.jdbc.sql("""
				insert into contact_import_row (import_id, line, error) values (:importId, :line, :error)
				on conflict do nothing""")
			.param("importId", importId)
			.param("line", line)
			.param("error", error)
			.update() == 1;
		if (!first) {
			return Optional.empty();
		}
		return this.jdbc.sql("""
				update contact_import set done = done + 1, refused = refused + ? where id = ?
				returning id, rows, done, refused""")
			.params((error != null) ? 1 : 0, importId)
			.query(ImportProgress.class)
			.optional();
	}

	Optional<ImportProgress> progress(long importId) {
		return this.jdbc.sql("select id, rows, done, refused from contact_import where id = ?")
			.param(importId)
			.query(ImportProgress.class)
			.optional();
	}

	List<String> errors(long importId, int count) {
		return this.jdbc.sql("""
				select 'line ' || line || ': ' || error from contact_import_row
				where import_id = ? and error is not null order by line limit ?""")
			.params(importId, count)
			.query(String.class)
			.list();
	}

}

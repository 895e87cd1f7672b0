package io.rowqueue.lab.verify.fault;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;

import io.rowqueue.lab.verify.site.Site;
import io.rowqueue.lab.verify.site.Sites;
import io.rowqueue.lab.verify.worker.Effects;

/**
 * Another system reads the changes of all tables of the database, as Debezium does by
 * default. PostgreSQL then refuses to update and delete rows of a table that has neither
 * a primary key nor a replica identity.
 */
final class Publication implements FaultUnderLoad {

	private static final String WITHOUT_IDENTITY = """
			select count(*), string_agg(relname, ', ') from pg_class
			where relnamespace = '%s'::regnamespace and relkind in ('r', 'p') and relreplident <> 'f'
				and oid <> '%s'::regclass -- rows are only added
				and not exists (select from pg_index where indrelid = pg_class.oid and (indisprimary or indisreplident))
			""".formatted(Site.SCHEMA, Effects.TABLE);

	@Override
	public String name() {
		return "publication";
	}

	@Override
	public String description() {
		return "a publication FOR ALL TABLES with a slot that decodes all changes, while workers are killed";
	}

	@Override
	public Optional<String> obstacle(Sites sites) {
		return sites.refuseGiven("only one of verify's own decodes its log");
	}

	@Override
	public Site site(Sites sites) throws SQLException {
		Site site = sites.own("publication", Map.of("wal_level", "logical"));
		try (Connection connection = site.connect(); Statement statement = connection.createStatement()) {
			statement.execute("create publication everything for all tables");
			statement.execute("select pg_create_logical_replication_slot('reader', 'pgoutput')");
		}
		return site;
	}

	@Override
	public void strike(Scene scene) throws InterruptedException, SQLException {
		try (Connection connection = scene.site().connect(); Statement statement = connection.createStatement()) {
			while (!scene.isOver()) {
				scene.killAndReplace(scene.workers().any(scene.random()));
				scene.pause(2000, 5000);
				statement.execute("select count(*) from pg_logical_slot_get_binary_changes('reader', null, null,"
						+ " 'proto_version', '1', 'publication_names', 'everything')");
			}
			try (ResultSet tables = statement.executeQuery(WITHOUT_IDENTITY)) {
				tables.next();
				if (tables.getInt(1) > 0) {
					throw new IllegalStateException(
							"Rows of these tables cannot be deleted under a publication: " + tables.getString(2));
				}
			}
		}
	}

}

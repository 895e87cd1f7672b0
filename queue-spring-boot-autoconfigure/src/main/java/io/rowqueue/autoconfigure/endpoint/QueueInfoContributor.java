package io.rowqueue.autoconfigure.endpoint;

import java.util.LinkedHashMap;
import java.util.Map;

import io.rowqueue.admin.QueueOverview;
import io.rowqueue.engine.database.QueueDisabledException;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.dao.DataAccessException;

/** Contributes the versions of the library and of its tables. */
class QueueInfoContributor implements InfoContributor {

	private final QueueOverview overview;

	QueueInfoContributor(QueueOverview overview) {
		this.overview = overview;
	}

	@Override
	public void contribute(Info.Builder builder) {
		Map<String, Object> schema = new LinkedHashMap<>();
		schema.put("library", this.overview.librarySchemaVersion());
		try {
			schema.put("installed", this.overview.installedSchemaVersion());
		}
		catch (DataAccessException ex) {
			schema.put("installed", "unknown: the database is not available");
		}
		catch (QueueDisabledException ex) {
			schema.put("installed", "unknown: the job queue is off");
		}
		builder.withDetail("rowqueue", Map.of("version", this.overview.libraryVersion(), "schemaVersion", schema));
	}

}

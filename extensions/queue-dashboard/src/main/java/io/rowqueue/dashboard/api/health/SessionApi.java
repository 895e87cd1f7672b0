package io.rowqueue.dashboard.api.health;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import io.rowqueue.admin.QueueOverview;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.api.Resource;
import io.rowqueue.dashboard.http.ApiCall;
import io.rowqueue.dashboard.http.CsrfToken;
import io.rowqueue.dashboard.http.Route;
import io.rowqueue.dashboard.http.Words;
import io.rowqueue.engine.database.QueueDatabase;
import org.jspecify.annotations.Nullable;

/** Who looks, what they may do, and what the dashboard can do. */
public final class SessionApi implements Resource {

	private final Reads reads;

	private final QueueOverview overview;

	private final AboutDashboard about;

	private final List<String> filters;

	private final Supplier<Optional<ShardChoice>> shards;

	/**
	 * Creates the resource.
	 * @param reads reads the time
	 * @param overview reads the versions
	 * @param about what the pages say about the application
	 * @param filters the words of the filter of jobs
	 * @param shards the shards; empty if the queue has one database
	 */
	public SessionApi(Reads reads, QueueOverview overview, AboutDashboard about, List<String> filters,
			Supplier<Optional<ShardChoice>> shards) {
		this.reads = reads;
		this.overview = overview;
		this.about = about;
		this.filters = filters;
		this.shards = shards;
	}

	@Override
	public List<Route> routes() {
		return List.of(Route.get("session", this::session));
	}

	private Session session(ApiCall call) {
		return this.reads.read((at) -> new Session(at, this.about.who(call.caller()), Words.of(call.rights()),
				call.csrf(), ZoneId.systemDefault().getId(), this.about.title(), this.about.allDatabases(),
				this.about.environment(), this.overview.libraryVersion(),
				Schema.of(this.reads.database(), this.overview), this.about.open(), this.filters,
				this.shards.get().orElse(null), this.about.links()));
	}

	record Session(Instant at, String user, List<String> levels, @Nullable CsrfToken csrf, String zone,
			@Nullable String title, @Nullable String allDatabases, AboutDashboard.@Nullable Badge environment,
			String version, Schema schema, boolean open, List<String> filters, @Nullable ShardChoice shards,
			List<AboutDashboard.Link> links) {

	}

	/**
	 * The tables of the queue.
	 *
	 * @param name the schema that has them
	 * @param installed their version
	 * @param library the version that this process knows
	 */
	record Schema(String name, int installed, int library) {

		static Schema of(QueueDatabase database, QueueOverview overview) {
			return new Schema(database.schema().value(), overview.installedSchemaVersion(),
					overview.librarySchemaVersion());
		}

	}

	/**
	 * The shards that pages can show.
	 *
	 * @param shown the one that these pages show
	 * @param home the home shard, which has the recurring jobs
	 * @param names all of them
	 */
	public record ShardChoice(String shown, String home, List<String> names) {

	}

}

package io.pgqueue.dashboard.http;

import java.util.Objects;

import io.pgqueue.dashboard.DashboardRights;
import io.pgqueue.dashboard.Level;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers every request below the root of the dashboard. */
public final class Dashboard {

	private static final Logger logger = LoggerFactory.getLogger(Dashboard.class);

	private static final String API = "api/";

	private final Gate gate;

	private final Api api;

	private final Shards shards;

	private final Pages pages;

	private final SecurityHeaders headers;

	private final String name;

	/**
	 * Creates the dashboard.
	 * @param root the path of its root, such as {@code /pgqueue}
	 * @param gate decides who may use it
	 * @param api answers requests for data of the home shard
	 * @param shards has the APIs of the others
	 * @param pages answers requests for pages
	 * @param headers the headers of all responses
	 */
	public Dashboard(String root, Gate gate, Api api, Shards shards, Pages pages, SecurityHeaders headers) {
		this.name = root.substring(root.lastIndexOf('/') + 1);
		this.gate = gate;
		this.api = api;
		this.shards = shards;
		this.pages = pages;
		this.headers = headers;
	}

	/** Returns the API of the home shard. */
	public Api api() {
		return this.api;
	}

	/** Answers a request. It never throws. */
	public DashboardResponse handle(DashboardRequest request) {
		DashboardResponse response;
		try {
			response = answer(request);
		}
		catch (ProblemException ex) {
			response = this.api.problem(ex.problem());
		}
		catch (RuntimeException ex) {
			logger.error("The dashboard cannot answer {} {}", request.method(), request.path(), ex);
			response = this.api
				.problem(Problem.Kind.FAILED.because("The log of the application has the reason.").problem());
		}
		response = this.headers.addTo(response);
		return request.method().equals("HEAD") ? withoutBody(response) : response;
	}

	private static DashboardResponse withoutBody(DashboardResponse response) {
		if (response.stream() != null) {
			response.stream().cancel();
		}
		return response.withoutBody();
	}

	/** Answers a request for which there is no thread. */
	public DashboardResponse busy() {
		return this.headers
			.addTo(this.api.problem(Problem.later(Problem.Kind.BUSY, "Too many requests wait.", 2).problem()));
	}

	private DashboardResponse answer(DashboardRequest request) {
		if (request.body().length() > DashboardRequest.MAX_BODY) {
			throw Problem.Kind.TOO_LARGE.because("A body has at most " + DashboardRequest.MAX_BODY + " bytes.");
		}
		Place place = Place.of(request.path());
		String path = Objects.requireNonNullElse(place.path(), "");
		DashboardRights rights = this.gate.rights(request.caller());
		if (rights.level() == Level.NONE) {
			return refused(request, path);
		}
		if (path.startsWith(API)) {
			return api(place).handle(request, path.substring(API.length()), rights);
		}
		if (!request.isSafe()) {
			throw Problem.Kind.METHOD.because("A page knows GET.");
		}
		if (place.path() == null) {
			return DashboardResponse.empty(308)
				.with("Location", Objects.requireNonNullElse(place.shard(), this.name) + "/");
		}
		return (path.startsWith(Pages.ASSETS) && place.shard() == null)
				? this.pages.asset(path.substring(Pages.ASSETS.length()),
						Objects.requireNonNullElse(request.header("Accept-Encoding"), ""))
				: this.pages.page(path, place.up());
	}

	private Api api(Place place) {
		return (place.shard() == null) ? this.api
				: PathNames.decode(place.shard())
					.flatMap(this.shards::find)
					.orElseThrow(() -> Problem.Kind.NOT_FOUND
						.because("There is no such shard, or it has not been available to this process yet."));
	}

	private DashboardResponse refused(DashboardRequest request, String path) {
		String detail = this.gate.refusal(request.caller());
		if (detail == null) {
			return DashboardResponse.empty(404);
		}
		if (path.startsWith(API)) {
			throw new ProblemException(
					Problem.Kind.NOT_ALLOWED.problem(detail, Words.of(Level.READ), null, null, null));
		}
		return this.pages.refusal(detail);
	}

}

package io.rowqueue.dashboard.http;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.rowqueue.dashboard.DashboardCaller;
import io.rowqueue.dashboard.DashboardRights;
import io.rowqueue.dashboard.Level;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers every request below the root of the dashboard. */
public final class Dashboard {

	private static final Logger logger = LoggerFactory.getLogger(Dashboard.class);

	private static final String API = DashboardRequest.API;

	private static final int REFUSED = 403;

	private final Gate gate;

	private final Api api;

	private final Shards shards;

	private final Pages pages;

	private final SecurityHeaders headers;

	private final String root;

	private final String name;

	/**
	 * Creates the dashboard.
	 * @param root the path of its root, such as {@code /rowqueue}
	 * @param gate decides who may use it
	 * @param api answers requests for data of the home shard
	 * @param shards has the APIs of the others
	 * @param pages answers requests for pages
	 * @param headers the headers of all responses
	 */
	public Dashboard(String root, Gate gate, Api api, Shards shards, Pages pages, SecurityHeaders headers) {
		this.root = root;
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

	/** Returns the path of its root, below the context path of the application. */
	public String root() {
		return this.root;
	}

	/** Answers a request. It never throws. */
	public DashboardResponse handle(DashboardRequest request) {
		return handle(request, UnaryOperator.identity());
	}

	/**
	 * Answers a request of a caller with fewer rights than the dashboard gives. It never
	 * throws.
	 * @param request the request
	 * @param bounds takes rights away
	 */
	public DashboardResponse handle(DashboardRequest request, UnaryOperator<DashboardRights> bounds) {
		return guarded(request, (rights) -> answer(request, bounds.apply(rights)));
	}

	/**
	 * Answers whether the sender of a request may read, and is no page of another site.
	 * It never throws.
	 * @param request a request that the dashboard itself does not answer
	 * @return a response with the status 204 if so; otherwise the refusal
	 */
	public DashboardResponse admit(DashboardRequest request) {
		return guarded(request, (rights) -> {
			CsrfCheck.checkOrigin(request);
			return DashboardResponse.empty(204);
		});
	}

	/** Who is not admitted may not find out that there is a dashboard. */
	private DashboardResponse guarded(DashboardRequest request, Function<DashboardRights, DashboardResponse> answer) {
		DashboardResponse response;
		boolean known = false;
		try {
			String token = request.token();
			DashboardCaller caller = (token != null) ? new LinkCaller(request.caller(), token) : request.caller();
			String cookie = (token != null) ? this.gate.cookie(caller, request.secure()) : null;
			DashboardRights rights = this.gate.rights(request.caller());
			known = rights.level() != Level.NONE || caller.name() != null;
			if (token != null && cookie != null) {
				response = opened(request.path(), token, cookie);
			}
			else if (rights.level() != Level.NONE) {
				response = answer.apply(rights);
			}
			else {
				String detail = this.gate.refusal(caller);
				if (detail == null) {
					return DashboardResponse.empty(404);
				}
				response = refused(request, detail);
			}
		}
		catch (ProblemException ex) {
			if (known && !request.isSafe() && ex.problem().status() == REFUSED) {
				this.gate.refused(request, String.valueOf(ex.problem().detail()));
			}
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

	/**
	 * Exchanges the token of a link for a cookie. Other pages lead to the root: the path
	 * of the page that sets the cookie is that of the cookie.
	 */
	private DashboardResponse opened(@Nullable String path, String token, String cookie) {
		DashboardResponse response = DashboardResponse.empty(303);
		if (path != null && path.isEmpty()) {
			return response.with("Location", "./").with("Set-Cookie", cookie);
		}
		String root = (path == null) ? "./" + this.name + "/"
				: "./" + "../".repeat((int) path.chars().filter((each) -> each == '/').count());
		return response.with("Location", root + "?token=" + URLEncoder.encode(token, StandardCharsets.UTF_8));
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

	private DashboardResponse answer(DashboardRequest request, DashboardRights rights) {
		if (request.body().length() > DashboardRequest.MAX_BODY) {
			throw Problem.Kind.TOO_LARGE.because("A body has at most " + DashboardRequest.MAX_BODY + " bytes.");
		}
		Place place = Place.of(request.path());
		String path = Objects.requireNonNullElse(place.path(), "");
		if (path.startsWith(API)) {
			return api(place).handle(request, path.substring(API.length()), rights, this.gate);
		}
		if (!request.isSafe()) {
			throw Problem.Kind.METHOD.because("A page knows GET.");
		}
		if (place.path() == null) {
			// without the dot, a name such as https:elsewhere would be an address
			// elsewhere
			return DashboardResponse.empty(308)
				.with("Location", "./" + Objects.requireNonNullElse(place.shard(), this.name) + "/");
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

	private DashboardResponse refused(DashboardRequest request, String detail) {
		if (request.isForData()) {
			throw new ProblemException(
					Problem.Kind.NOT_ALLOWED.problem(detail, Words.of(Level.READ), null, null, null));
		}
		return this.pages.refusal(detail);
	}

}

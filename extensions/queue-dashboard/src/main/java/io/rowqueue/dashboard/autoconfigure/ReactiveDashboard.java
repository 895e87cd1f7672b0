package io.rowqueue.dashboard.autoconfigure;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.Principal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.rowqueue.dashboard.http.Content;
import io.rowqueue.dashboard.http.CsrfToken;
import io.rowqueue.dashboard.http.Dashboard;
import io.rowqueue.dashboard.http.DashboardRequest;
import io.rowqueue.dashboard.http.DashboardResponse;
import io.rowqueue.dashboard.http.QueryString;
import io.rowqueue.dashboard.http.StreamedContent;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.util.ClassUtils;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The dashboard in a reactive application: what blocks runs on threads of its own. */
final class ReactiveDashboard implements AutoCloseable {

	private static final boolean SECURITY = ClassUtils
		.isPresent("org.springframework.security.web.server.csrf.CsrfToken", ReactiveDashboard.class.getClassLoader());

	private static final int MAX_WAITING = 200;

	private final Root root;

	private final Dashboard dashboard;

	/** Answers requests for data, which may wait for the database. */
	private final Scheduler readers;

	/**
	 * Answers requests for pages and files: who may see them may take time to find out.
	 */
	private final Scheduler pages;

	/** Each of them has a thread until its client has received it. */
	private final ExecutorService streams = Executors
		.newCachedThreadPool(new CustomizableThreadFactory("rowqueue-export-"));

	ReactiveDashboard(Root root, Dashboard dashboard, int threads) {
		this.root = root;
		this.dashboard = dashboard;
		this.readers = Schedulers.newBoundedElastic(threads, MAX_WAITING, "rowqueue-dashboard", 60, true);
		this.pages = Schedulers.newBoundedElastic(threads, MAX_WAITING, "rowqueue-dashboard-pages", 60, true);
	}

	RouterFunction<ServerResponse> routes() {
		return RouterFunctions.route((request) -> this.root.contains(path(request)), this::handle);
	}

	private static String path(ServerRequest request) {
		return request.requestPath().pathWithinApplication().value();
	}

	private Mono<ServerResponse> handle(ServerRequest request) {
		String path = this.root.below(path(request));
		Mono<Optional<CsrfToken>> csrf = (SECURITY && DashboardRequest.isSession(path)) ? Security.token(request)
				: Mono.just(Optional.empty());
		Mono<Optional<Principal>> principal = request.principal()
			.<Optional<Principal>>map(Optional::of)
			.defaultIfEmpty(Optional.empty());
		return Mono.zip(body(request), principal, csrf)
			.map((parts) -> new DashboardRequest(request.method().name(), path,
					QueryString.parse(request.uri().getRawQuery()), parts.getT1(),
					new ReactiveCaller(request, parts.getT2().orElse(null)), parts.getT3().orElse(null),
					"https".equals(request.uri().getScheme())))
			.flatMap((each) -> answer(each).flatMap((response) -> response(response, each.body().length())));
	}

	private Mono<DashboardResponse> answer(DashboardRequest request) {
		return Mono.fromSupplier(() -> this.dashboard.handle(request))
			.subscribeOn(request.isForData() ? this.readers : this.pages)
			.onErrorResume(RejectedExecutionException.class, (ex) -> Mono.just(this.dashboard.busy()));
	}

	/** One byte more than may be shows that there is more. */
	private static Mono<Content> body(ServerRequest request) {
		if (!request.method().name().equals("POST")) {
			return Mono.just(Content.NONE);
		}
		return DataBufferUtils.join(request.body(BodyExtractors.toDataBuffers()), DashboardRequest.MAX_BODY)
			.map(ReactiveDashboard::bytes)
			.defaultIfEmpty(Content.NONE)
			.onErrorReturn(DataBufferLimitException.class, Content.of(new byte[DashboardRequest.MAX_BODY + 1]));
	}

	private static Content bytes(DataBuffer buffer) {
		byte[] bytes = new byte[buffer.readableByteCount()];
		buffer.read(bytes);
		DataBufferUtils.release(buffer);
		return Content.of(bytes);
	}

	private Mono<ServerResponse> response(DashboardResponse response, int received) {
		return ServerResponse.status(response.status()).headers((headers) -> {
			response.headers().forEach(headers::set);
			if (received > DashboardRequest.MAX_BODY) {
				// the rest of the request is not read, and must not precede the next one
				headers.setConnection("close");
			}
		}).build((exchange, context) -> {
			StreamedContent stream = response.stream();
			if (stream != null) {
				return exchange.getResponse()
					.writeWith(bounded(
							DataBufferUtils.outputStreamPublisher((out) -> write(stream, out),
									exchange.getResponse().bufferFactory(), this.streams),
							StreamedContent.MAX_SILENCE, StreamedContent.MAX_TIME));
			}
			exchange.getResponse().getHeaders().setContentLength(response.body().length());
			return exchange.getResponse()
				.writeWith(
						Mono.fromSupplier(() -> exchange.getResponse().bufferFactory().wrap(response.body().bytes())));
		});
	}

	/**
	 * A client that reads nothing, or little, keeps no thread for longer.
	 * @param silence how long it may read nothing
	 * @param time how long it may take
	 */
	static <T> Flux<T> bounded(Publisher<T> content, Duration silence, Duration time) {
		AtomicBoolean late = new AtomicBoolean();
		return Flux.from(content)
			.timeout(silence)
			// its end cancels the content and so ends its thread; an error would not
			.takeUntilOther(Mono.delay(time).doOnNext((end) -> late.set(true)))
			.concatWith(Mono.defer(() -> late.get()
					? Mono.error(new TimeoutException("A response took longer than " + time.toMinutes() + " minutes"))
					: Mono.empty()));
	}

	/**
	 * The subscriber is notified of the exception, and the server closes the connection.
	 */
	private static void write(StreamedContent stream, OutputStream out) {
		try {
			stream.writeTo(out);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		this.readers.dispose();
		this.pages.dispose();
		this.streams.shutdownNow();
	}

	/** Apart: its classes may be missing. */
	private static final class Security {

		static Mono<Optional<CsrfToken>> token(ServerRequest request) {
			Object attribute = request.exchange()
				.getAttribute(org.springframework.security.web.server.csrf.CsrfToken.class.getName());
			if (!(attribute instanceof Mono<?> token)) {
				return Mono.just(Optional.empty());
			}
			return token.cast(org.springframework.security.web.server.csrf.CsrfToken.class)
				.map((each) -> Optional.of(new CsrfToken(each.getHeaderName(), each.getToken())))
				.defaultIfEmpty(Optional.empty());
		}

	}

}

package io.rowqueue.mcp;

import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.rowqueue.dashboard.DashboardCaller;
import io.rowqueue.dashboard.autoconfigure.ReactiveCaller;
import io.rowqueue.dashboard.http.Content;
import io.rowqueue.dashboard.http.Dashboard;
import io.rowqueue.dashboard.http.DashboardRequest;
import io.rowqueue.dashboard.http.DashboardResponse;
import io.rowqueue.mcp.MessageTransport.Answer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The MCP server in a reactive application: what blocks runs on threads of its own.
 */
final class ReactiveEndpoint implements AutoCloseable {

	private static final int THREADS = 4;

	private static final int MAX_WAITING = 200;

	private final String path;

	private final Dashboard dashboard;

	private final MessageTransport transport = new MessageTransport();

	private final McpStatelessSyncServer server;

	private final Scheduler scheduler = Schedulers.newBoundedElastic(THREADS, MAX_WAITING, "rowqueue-mcp", 60, true);

	ReactiveEndpoint(Dashboard dashboard, McpProperties properties) {
		this.path = QueueMcpServer.path(dashboard);
		this.dashboard = dashboard;
		this.server = QueueMcpServer.start(this.transport, dashboard, properties);
	}

	RouterFunction<ServerResponse> routes() {
		return RouterFunctions
			.route((request) -> request.requestPath().pathWithinApplication().value().equals(this.path), this::handle);
	}

	private Mono<ServerResponse> handle(ServerRequest request) {
		return request.principal()
			.<Optional<Principal>>map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.flatMap((principal) -> handle(request, new ReactiveCaller(request, principal.orElse(null))))
			.onErrorResume(RejectedExecutionException.class, (ex) -> refused(this.dashboard.busy()));
	}

	private Mono<ServerResponse> handle(ServerRequest request, DashboardCaller caller) {
		DashboardRequest admission = new DashboardRequest(request.method().name(), "api/mcp", Map.of(), Content.NONE,
				caller, null, false);
		return Mono.fromSupplier(() -> this.dashboard.admit(admission))
			.subscribeOn(this.scheduler)
			.flatMap((admitted) -> (admitted.status() != 204) ? refused(admitted)
					: answer(request, caller).flatMap((answer) -> response(answer, admitted)));
	}

	private Mono<Answer> answer(ServerRequest request, DashboardCaller caller) {
		Answer refusal = this.transport.refusal(request.method().name(), request.headers()::firstHeader);
		if (refusal != null) {
			return Mono.just(refusal);
		}
		return DataBufferUtils.join(request.body(BodyExtractors.toDataBuffers()), QueueMcpServer.MAX_MESSAGE)
			.map((buffer) -> {
				String text = buffer.toString(StandardCharsets.UTF_8);
				DataBufferUtils.release(buffer);
				return text;
			})
			.defaultIfEmpty("")
			.flatMap((text) -> Mono.defer(() -> this.transport.answer(caller, text)).subscribeOn(this.scheduler))
			.onErrorResume(DataBufferLimitException.class, (ex) -> Mono.just(this.transport.tooLong()));
	}

	private static Mono<ServerResponse> refused(DashboardResponse refusal) {
		return ServerResponse.status(refusal.status())
			.headers((headers) -> refusal.headers().forEach(headers::set))
			.bodyValue(refusal.body().bytes());
	}

	private static Mono<ServerResponse> response(Answer answer, DashboardResponse admitted) {
		ServerResponse.BodyBuilder response = ServerResponse.status(answer.status()).headers((headers) -> {
			admitted.headers().forEach(headers::set);
			answer.addTo(headers);
		});
		return (answer.body() == null) ? response.build() : response.bodyValue(answer.body());
	}

	@Override
	public void close() {
		this.server.closeGracefully();
		this.scheduler.dispose();
	}

}

package io.rowqueue.mcp;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All tools. */
final class QueueTools {

	private static final int MAX_PAGE = 50;

	private static final int DEFAULT_PAGE = 20;

	private static final String AUDIT_PREFIX = "mcp: ";

	private static final Argument ID = Argument.number("id", 1, Long.MAX_VALUE, "The id of the job.").asRequired();

	private static final Argument QUEUE = Argument.text("queue", "The name of the queue.").asRequired();

	private static final Argument CURSOR = Argument.text("cursor",
			"Where the page begins: the value next of the previous page.");

	private static final Argument REASON = Argument
		.text("reason", "Why: everyone sees it as long as the pause lasts, and in the record of operations.")
		.asRequired();

	private static final Argument KIND = Argument.choice("kind", "What is paused or resumed.", "queue", "type")
		.asRequired();

	private static final Argument NAME = Argument.text("name", "The name of the queue or type.").asRequired();

	/** Tools that read. */
	static final List<QueueTool> READ = List.of(QueueTool.read("overview",
			"What needs attention now, and the figures of the queue: jobs by state, queues, oldest job. Begin here.",
			(call) -> ApiRequest.get("overview")),
			QueueTool.read("health", "The checks of the queue and of its database, with what is wrong and the remedy.",
					(call) -> ApiRequest.get("health")),
			QueueTool.read("list_jobs",
					"Jobs that a filter selects, a page at a time, with why each waiting job waits.", QueueTools::jobs,
					Argument.filter(), CURSOR, Argument.number("limit", 1, MAX_PAGE, "Jobs in a page; 20 by default.")),
			QueueTool.read("count_jobs", "How many jobs a filter selects, counted up to a bound.",
					(call) -> ApiRequest.get("jobs/count", call.filter()), Argument.filter()),
			QueueTool.read("get_job", "One job: its state, options and error, or one part of what is known of it.",
					QueueTools::job, ID,
					Argument.choice("part", "The part; without it, the job itself.", "attempts", "log", "timeline",
							"steps", "payload", "result")),
			QueueTool.read("explain_job", "Why a job does not run, runs or has ended: a verdict with its facts.",
					(call) -> ApiRequest.get("jobs/" + call.segment("id") + "/explanation"), ID),
			QueueTool.read("failures", "Failures grouped by cause, with how many jobs each concerns.",
					(call) -> ApiRequest.get("errors", call.parameters("status", "type", "cursor")),
					Argument.choice("status", "Which groups; all by default.", "open", "resolved", "ignored"),
					Argument.text("type", "Only failures of jobs of this type."), CURSOR),
			QueueTool.read("queues", "All queues: jobs by state, pauses, limits and age of the oldest job.",
					(call) -> ApiRequest.get("queues")),
			QueueTool.read("queue", "One queue, with what pauses or limits it.",
					(call) -> ApiRequest.get("queues/" + call.segment("queue")), QUEUE),
			QueueTool.read("shards",
					"The databases of the queue, if it has several: whether each is available, and its jobs by state."
							+ " Each other tool reads one of them, by default the home shard.",
					(call) -> ApiRequest.get("shards")),
			QueueTool.read("workers", "All workers: their processes, slots, heartbeats and what they run.",
					(call) -> ApiRequest.get("workers")),
			QueueTool.read("limits", "Limits and holds of queues, types and keys, and how much of them is in use.",
					(call) -> ApiRequest.get("limits")),
			QueueTool.read("schedules", "Recurring jobs: when they are due, and their last runs.",
					(call) -> ApiRequest.get("schedules")),
			QueueTool.read("operations", "Who did what to the queue lately, such as pauses and retries.",
					(call) -> ApiRequest.get("operations", call.parameters("cursor")), CURSOR));

	/** Tools that change something. */
	static final List<QueueTool> OPERATIONS = List.of(
			QueueTool.operation("retry_job", "Runs a failed job again.", (call) -> act("retry", call), ID),
			QueueTool.operation("cancel_job", "Cancels a job that waits, or asks a running one to stop.",
					(call) -> act("cancel", call), ID),
			QueueTool.operation("pause", "Stops all workers from claiming jobs of a queue or type.",
					(call) -> change(call, Map.of("action", "pause", "reason", AUDIT_PREFIX + call.required("reason"))),
					KIND, NAME, REASON),
			QueueTool.operation("resume", "Ends the pause of a queue or type.",
					(call) -> change(call, Map.of("action", "resume")), KIND, NAME));

	private QueueTools() {
	}

	private static ApiRequest jobs(Arguments call) {
		Map<String, List<String>> parameters = new TreeMap<>(call.filter());
		parameters.put("limit", List.of(String.valueOf(DEFAULT_PAGE)));
		parameters.putAll(call.parameters("limit", "cursor"));
		return ApiRequest.get("jobs", parameters);
	}

	private static ApiRequest job(Arguments call) {
		String part = call.text("part");
		return ApiRequest.get("jobs/" + call.segment("id") + ((part != null) ? "/" + part : ""));
	}

	private static ApiRequest act(String action, Arguments call) {
		return ApiRequest.post("jobs/" + call.segment("id"), Map.of("action", action));
	}

	private static ApiRequest change(Arguments call, Map<String, Object> body) {
		return ApiRequest.post(call.required("kind") + "s/" + call.segment("name"), body);
	}

}

package io.rowqueue.dashboard.api.job;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.rowqueue.admin.Explanation;
import io.rowqueue.admin.JobDetails;
import io.rowqueue.admin.Verdict;
import io.rowqueue.dashboard.Level;
import io.rowqueue.dashboard.api.Text;
import io.rowqueue.dashboard.api.Views.JobRef;
import io.rowqueue.dashboard.api.job.JobAnswers.Job;
import io.rowqueue.masking.SensitiveText;
import io.rowqueue.masking.TextMasker;
import org.jspecify.annotations.Nullable;

/** One job: what it is, what it belongs to, and why it is where it is. */
public final class JobDetailAnswers {

	private JobDetailAnswers() {
	}

	/** One job. */
	record Detail(Instant at, Job job, String revision, Explained explanation, List<String> actions, Related related,
			boolean hasPayload, boolean hasResult) {

		static Detail of(Instant at, JobDetails found, Explained explanation, Level level, Map<Long, String> workers,
				TextMasker masker) {
			return new Detail(at, Job.of(found.job(), found.progress(), workers, masker), found.revision(), explanation,
					actions(found.job().state(), explanation, level), Related.of(found, masker),
					found.payload() != null, found.result() != null);
		}

		private static List<String> actions(String state, Explained explanation, Level level) {
			if (!level.includes(Level.OPERATE)) {
				return List.of();
			}
			List<String> actions = new ArrayList<>(actions(state));
			if (level.includes(Level.ADMIN)) {
				actions.add("replay");
				if (actions.contains("reschedule")) {
					actions.add("edit");
				}
				if (explanation.code().equals(Verdict.WAITS_FOR_SIGNAL.name())) {
					actions.add("signal");
				}
				actions.add("erase");
			}
			return actions;
		}

		private static List<String> actions(String state) {
			return switch (state) {
				case "failed" -> List.of("retry", "cancel");
				case "scheduled", "queued", "blocked" -> List.of("cancel", "reschedule", "prioritize");
				case "starting", "running", "stuck" -> List.of("cancel", "stack");
				default -> List.of();
			};
		}

	}

	/** What a job belongs to, what it waits for, and what it is found by. */
	record Related(@Nullable FlowRef flow, @Nullable BatchRef batch, List<JobRef> after, List<Text> tags,
			List<Header> headers, @Nullable Instant expiresAt) {

		static Related of(JobDetails job, TextMasker masker) {
			JobDetails.FlowJob own = job.flow();
			FlowRef flow = (own != null) ? new FlowRef(own.flowId(), masker.mask(SensitiveText.FLOW, own.flowName()),
					masker.mask(SensitiveText.FLOW_JOB, own.name())) : null;
			Long batch = job.job().batchId();
			return new Related(flow,
					(batch != null && job.batchName() != null)
							? new BatchRef(batch, masker.mask(SensitiveText.BATCH, job.batchName())) : null,
					job.after().stream().map((id) -> new JobRef(id, null)).toList(),
					job.tags().stream().map((tag) -> Text.of(masker, SensitiveText.TAG, tag)).toList(),
					job.headers()
						.entrySet()
						.stream()
						.sorted(Map.Entry.comparingByKey())
						.map((header) -> new Header(header.getKey(),
								Text.of(masker, SensitiveText.HEADER, header.getValue())))
						.toList(),
					job.expiresAt());
		}

	}

	record Header(String name, Text value) {

	}

	record FlowRef(long id, String name, String job) {

	}

	record BatchRef(long id, String name) {

	}

	/** Why a job is where it is. */
	record Explained(String code, String summary, List<Fact> facts, List<String> then) {

		static Explained of(Explanation explanation) {
			return new Explained(explanation.verdict().name(), explanation.summary(),
					explanation.readableFacts()
						.entrySet()
						.stream()
						.map((fact) -> new Fact(fact.getKey(), fact.getValue()))
						.toList(),
					explanation.then().stream().map(Explained::words).toList());
		}

		private static String words(Verdict verdict) {
			return verdict.name().toLowerCase(Locale.ROOT).replace('_', ' ');
		}

	}

	record Fact(String name, String value) {

	}

	record ExplanationAnswer(Instant at, Explained explanation) {

	}

}

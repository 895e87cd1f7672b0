package io.rowqueue.rewrite;

import java.lang.reflect.Method;
import java.util.Arrays;

import io.rowqueue.schedule.RecurringJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openrewrite.java.JavaParser;
import org.openrewrite.test.RecipeSpec;
import org.openrewrite.test.RewriteTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.openrewrite.java.Assertions.java;

class ShedLockToRecurringJobsTests implements RewriteTest {

	@Override
	public void defaults(RecipeSpec spec) {
		spec.recipe(new ShedLockToRecurringJobs(null))
			.parser(JavaParser.fromJavaVersion().classpath("spring-context", "shedlock-spring", "shedlock-core"));
	}

	@Test
	void aMethodWithACronExpressionAndAZoneBecomesARecurringJob() {
		rewriteRun(java("""
				package com.example;

				import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
				import org.springframework.scheduling.annotation.Scheduled;

				class Reports {

					@Scheduled(cron = "0 0 3 * * *", zone = "Europe/Berlin")
					@SchedulerLock(name = "nightly-report")
					void write() {
						System.out.println("report");
					}

				}
				""", """
				package com.example;

				import io.rowqueue.schedule.RecurringJob;

				class Reports {

					@RecurringJob(name = "nightly-report", cron = "0 0 3 * * *", zone = "Europe/Berlin")
					void write() {
						System.out.println("report");
					}

				}
				"""));
	}

	@Test
	void whatHasNoCounterpartStaysAsAComment() {
		rewriteRun(java("""
				package com.example;

				import java.util.concurrent.TimeUnit;

				import net.javacrumbs.shedlock.core.LockAssert;
				import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
				import org.springframework.scheduling.annotation.Scheduled;

				class Cache {

					static final String LOCK = "clean-up";

					/** Deletes what is old. */
					@SchedulerLock(name = LOCK, lockAtMostFor = "14m", lockAtLeastFor = "1m")
					@Scheduled(fixedDelay = 15, initialDelay = 1, timeUnit = TimeUnit.MINUTES)
					@Deprecated
					public void clean() {
						LockAssert.assertLocked();
						System.out.println("clean");
					}

				}
				""",
				"""
						package com.example;

						import io.rowqueue.schedule.RecurringJob;

						class Cache {

							static final String LOCK = "clean-up";

							/** Deletes what is old. */
							// Before rowqueue: lockAtLeastFor = 1m, lockAtMostFor = 14m, initialDelay = 1, timeUnit = TimeUnit.MINUTES
							@RecurringJob(name = LOCK, every = "15m")
							@Deprecated
							public void clean() {
								System.out.println("clean");
							}

						}
						"""));
	}

	@Test
	void anAssertionOfTheLockInAnInnerBlockIsRemoved() {
		String source = locked("@Scheduled(fixedRate = 5000)", "name = \"report\"").replace("System.out.println();", """
				try {
							net.javacrumbs.shedlock.core.LockAssert.assertLocked();
							System.out.println();
						}
						finally {
							Runnable last = () -> {
								net.javacrumbs.shedlock.core.LockAssert.assertLocked();
							};
							last.run();
						}""");
		rewriteRun(java(source, recurring("name = \"report\", every = \"5s\"").replace("System.out.println();", """
				try {
							System.out.println();
						}
						finally {
							Runnable last = () -> {
							};
							last.run();
						}""")));
	}

	@Test
	void aMethodThatAssertsItsLockInAnExpressionStays() {
		String source = locked("@Scheduled(fixedRate = 1)", "name = \"report\"").replace("System.out.println();",
				"Runnable check = () -> net.javacrumbs.shedlock.core.LockAssert.assertLocked();");
		rewriteRun(java(source, source.replace("@SchedulerLock",
				"/*~~(rowqueue: it calls assertLocked() in an expression: remove the call, which fails without a lock)~~>*/@SchedulerLock")));
	}

	@Test
	void anAttributeOfSeveralLinesStaysAsACommentOfOne() {
		rewriteRun(
				java(locked("@Scheduled(fixedRate = 5000)", "name = \"report\", lockAtMostFor = \"PT\"\n\t\t+ \"10M\""),
						recurring("name = \"report\", every = \"5s\"").replace("\t@RecurringJob",
								"\t// Before rowqueue: lockAtMostFor = \"PT\" + \"10M\"\n\t@RecurringJob")));
	}

	@Test
	void theUnitOfAnInitialDelayAsATextStaysInTheComment() {
		rewriteRun(java(locked(
				"@Scheduled(fixedRateString = \"PT5S\", initialDelayString = \"1\", timeUnit = java.util.concurrent.TimeUnit.MINUTES)",
				"name = \"report\""),
				recurring("name = \"report\", every = \"PT5S\"").replace("\t@RecurringJob",
						"\t// Before rowqueue: initialDelayString = 1, timeUnit = java.util.concurrent.TimeUnit.MINUTES\n\t@RecurringJob")));
	}

	@Test
	void theZoneOfTheOptionAppliesToCronExpressionsWithoutOne() {
		rewriteRun((spec) -> spec.recipe(new ShedLockToRecurringJobs("Europe/Berlin")),
				java(locked("@Scheduled(cron = \"${report.cron}\")", "name = \"report\""),
						recurring("name = \"report\", cron = \"${report.cron}\", zone = \"Europe/Berlin\"")));
	}

	@ParameterizedTest
	@CsvSource({ "fixedRate = 1500, 1500ms", "fixedRate = 5000, 5s", "fixedRate = 5 * 60 * 1000, 5m",
			"fixedDelay = 86400000L, 1d", "fixedRateString = \"7200000\", 2h", "fixedDelayString = \"PT10M\", PT10M",
			"fixedRateString = \"30s\", 30s" })
	void anIntervalIsWrittenWithItsUnit(String scheduled, String every) {
		rewriteRun(java(locked("@Scheduled(" + scheduled + ")", "name = \"report\""),
				recurring("name = \"report\", every = \"" + every + "\"")));
	}

	@Test
	void aCronExpressionWithoutAZoneStays() {
		stays("@Scheduled(cron = \"0 0 3 * * *\")", "name = \"report\"",
				"it has no zone, so that the machine's applies, and @RecurringJob takes UTC: set the zone, or the option zone"
						+ " of this recipe");
	}

	@Test
	void anIntervalFromAPropertyStays() {
		stays("@Scheduled(fixedRateString = \"${rate}\")", "name = \"report\"",
				"its interval is a property: write every = \"${rate}\" and give the value a unit, since @RecurringJob reads a"
						+ " number as seconds");
	}

	@ParameterizedTest
	@ValueSource(strings = { "fixedRate = 500", "fixedDelayString = \"999ms\"", "fixedRateString = \"PT0.5S\"",
			"fixedDelay = 0" })
	void anIntervalOfLessThanASecondStays(String scheduled) {
		stays("@Scheduled(" + scheduled + ")", "name = \"report\"",
				"its interval is less than a second, the shortest of @RecurringJob");
	}

	@Test
	void aTaskThatRunsOnceStays() {
		stays("@Scheduled(initialDelay = 10)", "name = \"report\"",
				"it runs once, after the start: enqueue a job there instead");
	}

	@Test
	void aMethodWithSeveralTriggersStays() {
		stays("@Scheduled(fixedRate = 1)\n\t@Scheduled(fixedRate = 2)", "name = \"report\"",
				"it has several @Scheduled: give each a @RecurringJob with a name, and the method a @JobHandler");
	}

	@Test
	void aLockWithAnExpressionAsItsNameStays() {
		stays("@Scheduled(fixedRate = 1)", "name = \"report-#{region}\"", "the name of its lock is an expression");
	}

	@Test
	void aMethodThatIsNotScheduledStays() {
		stays("@Deprecated", "name = \"report\"",
				"it has no @Scheduled: enqueue a job with a unique key where the method is called");
	}

	@Test
	void aPrivateMethodStays() {
		rewriteRun(java(locked("@Scheduled(fixedRate = 1)", "name = \"report\"", "private void"),
				locked("@Scheduled(fixedRate = 1)", "name = \"report\"", "private void").replace("@SchedulerLock",
						"/*~~(rowqueue: it is private: handlers are at least package-private)~~>*/@SchedulerLock")));
	}

	@Test
	void methodsThatShareALockStay() {
		String reason = "/*~~(rowqueue: other methods have the same lock: give each @RecurringJob a name, and all the same"
				+ " limitKey)~~>*/@SchedulerLock";
		String first = locked("@Scheduled(fixedRate = 1)", "name = \"report\"");
		String second = first.replace("class Reports", "class Others");
		rewriteRun(java(first, first.replace("@SchedulerLock", reason)),
				java(second, second.replace("@SchedulerLock", reason)));
	}

	@Test
	void constantsOfTheSameNameWithDifferentValuesAreDifferentLocks() {
		for (String[] locks : new String[][] { { "report", "cleaning" }, { "eu-\" + \"report", "us-\" + \"report" } }) {
			rewriteRun(
					java(constant("Reports", locks[0], "@Scheduled(fixedRate = 5000)\n\t@SchedulerLock(name = LOCK)"),
							constant("Reports", locks[0], "@RecurringJob(name = LOCK, every = \"5s\")")),
					java(constant("Cleaning", locks[1], "@Scheduled(fixedRate = 5000)\n\t@SchedulerLock(name = LOCK)"),
							constant("Cleaning", locks[1], "@RecurringJob(name = LOCK, every = \"5s\")")));
		}
	}

	@Test
	void aConstantAndALiteralWithTheSameValueAreTheSameLock() {
		String reason = "/*~~(rowqueue: other methods have the same lock: give each @RecurringJob a name, and all the same"
				+ " limitKey)~~>*/@SchedulerLock";
		String first = locked("@Scheduled(fixedRate = 1)", "name = \"report\"");
		String second = constant("Others", "report", "@Scheduled(fixedRate = 1)\n\t@SchedulerLock(name = LOCK)");
		String third = first.replace("class Reports", "class Third").replace("\"report\"", "Others.LOCK");
		rewriteRun(java(first, first.replace("@SchedulerLock", reason)),
				java(second, second.replace("@SchedulerLock", reason)),
				java(third, third.replace("@SchedulerLock", reason)));
	}

	@Test
	void aMethodThatExtendsItsLockStays() {
		String source = locked("@Scheduled(fixedRate = 1)", "name = \"report\"").replace("System.out.println();",
				"net.javacrumbs.shedlock.core.LockExtender.extendActiveLock(java.time.Duration.ofMinutes(1), java.time.Duration.ZERO);");
		rewriteRun(java(source, source.replace("@SchedulerLock",
				"/*~~(rowqueue: it extends its lock: a worker extends the lease of a job by itself)~~>*/@SchedulerLock")));
	}

	@Test
	void aScheduledMethodWithoutALockIsLeftAlone() {
		rewriteRun(java("""
				import org.springframework.scheduling.annotation.Scheduled;

				class Reports {

					@Scheduled(fixedRate = 1)
					void refresh() {
					}

				}
				"""));
	}

	@Test
	void theTranslatedAttributesAreThoseOfTheAnnotation() {
		assertThat(Arrays.stream(RecurringJob.class.getMethods()).map(Method::getName)).contains("name", "cron", "zone",
				"every");
		for (String attribute : new String[] { "name", "cron", "zone", "every" }) {
			assertThat(LockedMethods.RECURRING_JOB).contains("String " + attribute + "()");
		}
	}

	private void stays(String scheduled, String lock, String reason) {
		String source = locked(scheduled, lock);
		rewriteRun(java(source, source.replace("@SchedulerLock", "/*~~(rowqueue: " + reason + ")~~>*/@SchedulerLock")));
	}

	private static String constant(String type, String value, String annotations) {
		return """
				%s
				class %s {

					static final String LOCK = "%s";

					%s
					void write() {
						System.out.println();
					}

				}
				""".formatted(annotations.startsWith("@Scheduled") ? """
				import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
				import org.springframework.scheduling.annotation.Scheduled;
				""" : "import io.rowqueue.schedule.RecurringJob;\n", type, value, annotations);
	}

	private static String locked(String scheduled, String lock) {
		return locked(scheduled, lock, "void");
	}

	private static String locked(String scheduled, String lock, String modifiers) {
		return """
				import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
				%s
				class Reports {

					%s
					@SchedulerLock(%s)
					%s write() {
						System.out.println();
					}

				}
				""".formatted(scheduled.startsWith("@Scheduled")
				? "import org.springframework.scheduling.annotation.Scheduled;\n" : "", scheduled, lock, modifiers);
	}

	private static String recurring(String attributes) {
		return """
				import io.rowqueue.schedule.RecurringJob;

				class Reports {

					@RecurringJob(%s)
					void write() {
						System.out.println();
					}

				}
				""".formatted(attributes);
	}

}

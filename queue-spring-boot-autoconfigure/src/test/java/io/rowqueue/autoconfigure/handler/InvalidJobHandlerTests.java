package io.rowqueue.autoconfigure.handler;

import java.util.concurrent.atomic.AtomicReference;

import io.rowqueue.JobHandler;
import io.rowqueue.JobHandlers;
import io.rowqueue.engine.handler.InvalidJobHandlerException;
import io.rowqueue.testing.PackagePrivateHandler;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;

/** What stops the start of an application, and the messages. */
class InvalidJobHandlerTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(QueueHandlerAutoConfiguration.class));

	@Test
	void twoMethodsForOneType() {
		assertFails(this.runner.withBean("first", Mails.class).withBean("second", Mails.class)).isEqualTo(
				"Job handler %s.send(String) of bean 'second' is for the type 'mail', which already has the handler"
						+ " %s.send(String) of bean 'first'.",
				Mails.class.getName(), Mails.class.getName());
	}

	@Test
	void aMethodAndARegistrarForOneType() {
		assertFails(this.runner.withBean(Mails.class)
			.withBean("registrar", JobHandlers.Registrar.class,
					() -> (handlers) -> handlers.add("mail", String.class, (text, context) -> {
					})))
			.contains("for 'mail' of bean 'registrar' is for the type 'mail'", "Mails.send(String)");
	}

	@Test
	void aPrivateMethodOfAProxiedBean() {
		assertFails(proxied(true).withBean(PrivateMethod.class)).contains("PrivateMethod.handle(String)", "is private");
	}

	@Test
	void aPrivateMethodOfALazyBean() {
		assertFails(this.runner.withBean(PrivateMethod.class, PrivateMethod::new,
				(definition) -> definition.setLazyInit(true)))
			.contains("PrivateMethod.handle(String)", "is private");
	}

	@Test
	void aFinalMethodOfAProxiedBean() {
		assertFails(proxied(true).withBean(FinalMethod.class)).contains("FinalMethod.handle()", "is final");
		this.runner.withBean(FinalMethod.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aPackagePrivateMethodOfASuperclassInAnotherPackage() {
		assertFails(proxied(true).withBean(HiddenInSuperclass.class)).contains("HiddenInSuperclass.handle()",
				"is package-private in the package io.rowqueue.testing");
		this.runner.withBean(HiddenInSuperclass.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aMethodThatAnInterfaceProxyHides() {
		assertFails(proxied(false).withBean("hidden", HiddenMethod.class))
			.contains("HiddenMethod.handle() of bean 'hidden'", "cannot be called on its bean");
	}

	@Test
	void twoPayloads() {
		assertFails(this.runner.withBean(TwoPayloads.class)).contains("TwoPayloads.handle(String, int)",
				"has two parameters for the payload, 'name' and 'age'");
	}

	@Test
	void aResultOfAMethodThatReturnsNothing() {
		assertFails(this.runner.withBean(NoResult.class)).contains("NoResult.handle()", "has no result to keep");
	}

	@Test
	void aBlankType() {
		assertFails(this.runner.withBean(Placeholder.class).withPropertyValues("mail.job-type= "))
			.contains("Placeholder.handle()", "has no valid type: type must not be blank");
	}

	@Test
	void aPlaceholderWithoutAValue() {
		assertFails(this.runner.withBean(Placeholder.class)).contains("Placeholder.handle()", "mail.job-type");
	}

	@ParameterizedTest
	@ValueSource(classes = { AsyncMethod.class, AsyncClass.class, AsyncByInterface.class })
	void anAsynchronousMethod(Class<?> handler) {
		assertFails(this.runner.withUserConfiguration(Asynchronous.class, handler)).contains(".handle()",
				"is @Async: its job would succeed before the work is done");
	}

	@ParameterizedTest
	@ValueSource(strings = { "request", "session" })
	void aMethodOfABeanThatAJobCannotReach(String scope) {
		assertFails(this.runner.withBean("mails", Mails.class, Mails::new, (definition) -> definition.setScope(scope)))
			.contains("Mails.send(String) of bean 'mails'", "is in a bean of the scope '" + scope + "'");
	}

	@Test
	void aMethodOfABeanThatAJobCannotReachBehindItsProxy() {
		assertFails(new WebApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(QueueHandlerAutoConfiguration.class))
			.withUserConfiguration(OfARequest.class))
			.contains("OfARequest.handle() of bean", "is in a bean of the scope 'request'");
	}

	private ApplicationContextRunner proxied(boolean proxyTargetClass) {
		return this.runner.withBean(JobHandlerDiscoveryTests.NoTransactionManager.class)
			.withUserConfiguration(proxyTargetClass ? SubclassProxies.class : InterfaceProxies.class);
	}

	private static AbstractStringAssert<?> assertFails(AbstractApplicationContextRunner<?, ?, ?> runner) {
		AtomicReference<FailureAnalysis> analysis = new AtomicReference<>();
		runner.run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context.getStartupFailure()).isInstanceOf(InvalidJobHandlerException.class);
			analysis.set(analyze(context.getStartupFailure()));
		});
		assertThat(analysis.get().getAction()).isNotBlank();
		return assertThat(analysis.get().getDescription());
	}

	private static FailureAnalysis analyze(Throwable failure) {
		return SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, FailureHandler.handleMessage((message, error) -> {
				// the other analyzers need the application's bean factory
			}))
			.stream()
			.filter(InvalidJobHandlerFailureAnalyzer.class::isInstance)
			.map((analyzer) -> analyzer.analyze(failure))
			.findFirst()
			.orElseThrow();
	}

	static class Mails {

		@JobHandler("mail")
		void send(String name) {
		}

	}

	static class PrivateMethod {

		@JobHandler("private")
		private void handle(String name) {
		}

		@Transactional
		void other() {
		}

	}

	static class FinalMethod {

		@JobHandler("final")
		final void handle() {
		}

		@Transactional
		void other() {
		}

	}

	static class HiddenInSuperclass extends PackagePrivateHandler {

		@Transactional
		void other() {
		}

	}

	interface Other {

		void other();

	}

	static class HiddenMethod implements Other {

		@JobHandler("hidden")
		void handle() {
		}

		@Override
		@Transactional
		public void other() {
		}

	}

	static class NoResult {

		@JobHandler(value = "none", keepResult = true)
		void handle() {
		}

	}

	static class TwoPayloads {

		@JobHandler("two")
		void handle(String name, int age) {
		}

	}

	static class Placeholder {

		@JobHandler("${mail.job-type}")
		void handle() {
		}

	}

	@EnableAsync(proxyTargetClass = true)
	@Configuration(proxyBeanMethods = false)
	static class Asynchronous {

	}

	static class AsyncMethod {

		@Async
		@JobHandler("async")
		void handle() {
		}

	}

	@Async
	static class AsyncClass {

		@JobHandler("async")
		void handle() {
		}

	}

	interface Handling {

		@Async
		void handle();

	}

	static class AsyncByInterface implements Handling {

		@Override
		@JobHandler("async")
		public void handle() {
		}

	}

	@Component
	@Scope(scopeName = "request", proxyMode = ScopedProxyMode.TARGET_CLASS)
	static class OfARequest {

		@JobHandler("request")
		void handle() {
		}

	}

	@EnableTransactionManagement(proxyTargetClass = true)
	@Configuration(proxyBeanMethods = false)
	static class SubclassProxies {

	}

	@EnableTransactionManagement(proxyTargetClass = false)
	@Configuration(proxyBeanMethods = false)
	static class InterfaceProxies {

	}

}

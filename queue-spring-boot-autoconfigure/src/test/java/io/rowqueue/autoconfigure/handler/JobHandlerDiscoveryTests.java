package io.rowqueue.autoconfigure.handler;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.rowqueue.JobContext;
import io.rowqueue.JobHandler;
import io.rowqueue.engine.handler.HandlerRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.annotation.AliasFor;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;

/** Which beans' methods become handlers. */
class JobHandlerDiscoveryTests {

	private static final List<String> seen = new ArrayList<>();

	private static int created;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(QueueHandlerAutoConfiguration.class));

	@BeforeEach
	void forget() {
		seen.clear();
		created = 0;
	}

	@Test
	void theScannerFindsEveryMethodOfAPackagePrivateClass() {
		this.runner.withBean(Mails.class).run((context) -> {
			assertThat(types(context)).containsExactlyInAnyOrder("welcome", "goodbye");
			run(context, "welcome", "\"ann\"");
			run(context, "goodbye", "\"bob\"");
			assertThat(seen).containsExactly("welcome ann", "goodbye bob");
		});
	}

	@Test
	void theScannerFindsNothingInAnApplicationWithoutHandlers() {
		this.runner.run((context) -> assertThat(types(context)).isEmpty());
	}

	@Test
	void theScannerFindsAMethodThroughAnAnnotationOfTheApplication() {
		this.runner.withBean(ComposedAnnotation.class).run((context) -> {
			run(context, "composed", null);
			assertThat(seen).containsExactly("composed");
		});
	}

	@Test
	void theScannerResolvesPlaceholdersInTheType() {
		this.runner.withBean(Placeholder.class)
			.withPropertyValues("mail.job-type=configured")
			.run((context) -> assertThat(types(context)).containsExactly("configured"));
	}

	@Test
	void aTransactionalBeanIsCalledThroughItsSubclassProxy() {
		this.runner.withUserConfiguration(SubclassProxies.class).withBean(Transactions.class).run((context) -> {
			assertThat(AopUtils.isCglibProxy(context.getBean(Transactions.class))).isTrue();
			run(context, "transactional", null);
			assertThat(seen).containsExactly("in transaction: true");
		});
	}

	@Test
	void aTransactionalBeanIsCalledThroughItsInterfaceProxy() {
		this.runner.withUserConfiguration(InterfaceProxies.class)
			.withBean("invoices", AnnotatedInterfaceImpl.class)
			.withBean("reports", AnnotatedImplementation.class)
			.withBean("generic", GenericImplementation.class)
			.run((context) -> {
				assertThat(AopUtils.isJdkDynamicProxy(context.getBean("invoices"))).isTrue();
				run(context, "on-interface", "1");
				run(context, "on-implementation", "2");
				run(context, "on-generic", "3");
				assertThat(seen).containsExactly("1 in transaction: true", "2 in transaction: true",
						"3 in transaction: true");
			});
	}

	@Test
	void aFinalMethodIsCalledThroughTheInterfaceProxyOfItsBean() {
		this.runner.withUserConfiguration(InterfaceProxies.class)
			.withBean("reports", FinalImplementation.class)
			.run((context) -> {
				assertThat(AopUtils.isJdkDynamicProxy(context.getBean("reports"))).isTrue();
				run(context, "on-final", "4");
				assertThat(seen).containsExactly("4 in transaction: true");
			});
	}

	@Test
	void aLazyBeanIsCalledThroughItsLaterProxy() {
		this.runner.withUserConfiguration(InterfaceProxies.class)
			.withBean("reports", AnnotatedImplementation.class, AnnotatedImplementation::new,
					(definition) -> definition.setLazyInit(true))
			.run((context) -> {
				run(context, "on-implementation", "2");
				assertThat(seen).containsExactly("2 in transaction: true");
			});
	}

	@Test
	void aLazyBeanIsCreatedByItsFirstJob() {
		this.runner.withUserConfiguration(LazyBeans.class).run((context) -> {
			assertThat(types(context)).containsExactly("counting");
			assertThat(created).isZero();
			run(context, "counting", null);
			run(context, "counting", null);
			assertThat(created).isEqualTo(1);
		});
	}

	@Test
	void theScannerFindsHandlersWhenTheWholeApplicationIsLazy() {
		this.runner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.withBean(Counting.class)
			.run((context) -> {
				assertThat(types(context)).containsExactly("counting");
				assertThat(created).isZero();
				run(context, "counting", null);
				assertThat(created).isEqualTo(1);
			});
	}

	@Test
	void aPrototypeIsCreatedForEachJob() {
		this.runner.withUserConfiguration(Prototypes.class).run((context) -> {
			assertThat(created).isZero();
			run(context, "counting", null);
			run(context, "counting", null);
			assertThat(created).isEqualTo(2);
		});
	}

	@Test
	void theScannerFindsAScopedBeanOnceBehindItsProxy() {
		this.runner.withUserConfiguration(ScopedProxies.class).run((context) -> {
			assertThat(context).hasBean("scopedTarget.scoped");
			assertThat(types(context)).containsExactly("counting");
			run(context, "counting", null);
			assertThat(seen).containsExactly("counting");
		});
	}

	@Test
	void theScannerFindsMethodsOfSuperclassesAndDefaultMethods() {
		this.runner.withBean(Inheriting.class).run((context) -> {
			run(context, "of-superclass", "[5]");
			run(context, "of-default-method", null);
			run(context, "overridden", null);
			assertThat(seen).containsExactly("superclass 5", "default method", "overriding");
		});
	}

	@Test
	void theScannerFindsTheProductOfAFactoryBean() {
		this.runner.withBean(MailsFactory.class).run((context) -> {
			run(context, "welcome", "\"ann\"");
			assertThat(seen).containsExactly("welcome ann");
		});
	}

	@Test
	void theScannerFindsASingletonThatWasNotDefined() {
		this.runner.withInitializer((context) -> context.getBeanFactory().registerSingleton("mails", new Mails()))
			.run((context) -> assertThat(types(context)).contains("welcome"));
	}

	@Test
	void theScannerFindsMethodsOfConfigurationClasses() {
		this.runner.withUserConfiguration(Configured.class).run((context) -> {
			run(context, "configuration", null);
			assertThat(seen).containsExactly("configuration");
		});
	}

	private static Set<String> types(ApplicationContext context) {
		return registry(context).types();
	}

	private static void run(ApplicationContext context, String type, String payload) throws Exception {
		registry(context).find(type).orElseThrow().run(payload, null);
	}

	private static HandlerRegistry registry(ApplicationContext context) {
		return context.getBean(HandlerRegistryFactory.class).get();
	}

	private static void seeTransaction(String prefix) {
		seen.add(prefix + "in transaction: " + TransactionSynchronizationManager.isActualTransactionActive());
	}

	static class Mails {

		@JobHandler("welcome")
		void welcome(String name) {
			seen.add("welcome " + name);
		}

		@JobHandler("goodbye")
		void goodbye(JobContext context, String name) {
			seen.add("goodbye " + name);
		}

	}

	static class ComposedAnnotation {

		@MailJob("composed")
		void handle() {
			seen.add("composed");
		}

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@JobHandler("")
	@interface MailJob {

		@AliasFor(annotation = JobHandler.class, attribute = "value")
		String value();

	}

	static class Placeholder {

		@JobHandler("${mail.job-type}")
		void handle() {
		}

	}

	static class Transactions {

		@JobHandler("transactional")
		@Transactional
		void handle() {
			seeTransaction("");
		}

	}

	interface AnnotatedInterface {

		@JobHandler("on-interface")
		void handle(int number);

	}

	static class AnnotatedInterfaceImpl implements AnnotatedInterface {

		@Override
		@Transactional
		public void handle(int number) {
			seeTransaction(number + " ");
		}

	}

	interface PlainInterface {

		void handle(int number);

	}

	static class AnnotatedImplementation implements PlainInterface {

		@Override
		@JobHandler("on-implementation")
		@Transactional
		public void handle(int number) {
			seeTransaction(number + " ");
		}

	}

	static final class FinalImplementation implements PlainInterface {

		@Override
		@JobHandler("on-final")
		@Transactional
		public final void handle(int number) {
			seeTransaction(number + " ");
		}

	}

	interface GenericInterface<T> {

		void handle(T payload);

	}

	static class GenericImplementation implements GenericInterface<Integer> {

		@Override
		@JobHandler("on-generic")
		@Transactional
		public void handle(Integer number) {
			seeTransaction(number + " ");
		}

	}

	static class Counting {

		Counting() {
			created++;
		}

		@JobHandler("counting")
		void handle() {
			seen.add("counting");
		}

	}

	abstract static class Superclass<T> {

		@JobHandler("of-superclass")
		void ofSuperclass(List<T> payload) {
			T first = payload.get(0);
			seen.add("superclass " + first);
		}

		@JobHandler("overridden")
		void overridden() {
			seen.add("overridden");
		}

	}

	interface WithDefaultMethod {

		@JobHandler("of-default-method")
		default void ofDefaultMethod() {
			seen.add("default method");
		}

	}

	static class Inheriting extends Superclass<Integer> implements WithDefaultMethod {

		@Override
		void overridden() {
			seen.add("overriding");
		}

	}

	static class MailsFactory implements FactoryBean<Mails> {

		@Override
		public Mails getObject() {
			return new Mails();
		}

		@Override
		public Class<?> getObjectType() {
			return Mails.class;
		}

	}

	@Configuration
	static class Configured {

		@JobHandler("configuration")
		final void handle() {
			seen.add("configuration");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyBeans {

		@Bean
		@Lazy
		Counting lazy() {
			return new Counting();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Prototypes {

		@Bean
		@Scope("prototype")
		Counting prototype() {
			return new Counting();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ScopedProxies {

		@Bean
		@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
		Counting scoped() {
			return new Counting();
		}

	}

	@EnableTransactionManagement(proxyTargetClass = true)
	@Configuration(proxyBeanMethods = false)
	static class SubclassProxies {

		@Bean
		NoTransactionManager transactionManager() {
			return new NoTransactionManager();
		}

	}

	@EnableTransactionManagement(proxyTargetClass = false)
	@Configuration(proxyBeanMethods = false)
	static class InterfaceProxies {

		@Bean
		NoTransactionManager transactionManager() {
			return new NoTransactionManager();
		}

	}

	/** Transactions of nothing. */
	static class NoTransactionManager extends AbstractPlatformTransactionManager {

		@Override
		protected Object doGetTransaction() {
			return new Object();
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

}

package io.rowqueue.autoconfigure;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.rowqueue.autoconfigure.admin.PayloadCommands;
import io.rowqueue.autoconfigure.connection.QueueConnectionDetails;
import io.rowqueue.autoconfigure.connection.QueueDataSource;
import io.rowqueue.autoconfigure.connection.QueueDataSourceCustomizer;
import io.rowqueue.autoconfigure.connection.ReadPool;
import io.rowqueue.autoconfigure.connection.ReadPools;
import io.rowqueue.autoconfigure.handler.HandlerRegistryFactory;
import io.rowqueue.autoconfigure.worker.InlineQueue;
import io.rowqueue.autoconfigure.worker.InlineQueueConfiguration;
import io.rowqueue.monitoring.autoconfigure.measurement.HealthThresholds;
import io.rowqueue.shard.autoconfigure.ShardBeans;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.io.support.PropertiesLoaderUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** What Boot's own build demands of auto-configurations. */
class ConventionsTests {

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages("io.rowqueue")
		.that(JavaClass.Predicates.resideInAPackage("..autoconfigure.."));

	@Test
	void everyAutoConfigurationIsListedAndNothingElse() {
		assertThat(CLASSES).filteredOn((type) -> type.getSimpleName().endsWith("AutoConfiguration"))
			.extracting(JavaClass::reflect)
			.isNotEmpty()
			.allMatch((type) -> type.isAnnotationPresent(AutoConfiguration.class))
			.containsExactlyInAnyOrder(Applications.queue());
	}

	@Test
	void anAutoConfigurationIsPublicFinalAndKeepsItsMembersToItself() {
		for (Class<?> type : Applications.queue()) {
			assertThat(Modifier.isPublic(type.getModifiers()) && Modifier.isFinal(type.getModifiers()))
				.as(type.getName())
				.isTrue();
			assertThat(Stream.of(type.getDeclaredMethods(), type.getDeclaredFields(), type.getDeclaredClasses())
				.flatMap(Arrays::stream)
				.map(Object::toString)
				.filter((member) -> member.startsWith("public "))).as(type.getName()).isEmpty();
		}
	}

	@Test
	void aBeanMethodReturnsWhatItMakes() {
		assertThat(beanMethods()).isNotEmpty()
			.filteredOn((method) -> method.getReturnType().isInterface())
			.allMatch((method) -> method.getReturnType() == LazyInitializationExcludeFilter.class);
	}

	@Test
	void aBeanHasANameThatAnApplicationWouldNotUse() {
		assertThat(beanMethods()).extracting(Method::getName).allMatch((name) -> name.startsWith("rowqueue"));
	}

	@Test
	void aBeanThatIsNeededEarlyComesFromAStaticMethod() {
		assertThat(beanMethods())
			.filteredOn((method) -> BeanPostProcessor.class.isAssignableFrom(method.getReturnType())
					|| LazyInitializationExcludeFilter.class.isAssignableFrom(method.getReturnType()))
			.allMatch((method) -> Modifier.isStatic(method.getModifiers()));
	}

	/**
	 * The last two are for tests of applications, those before them for the dashboard.
	 */
	@Test
	void aTypeIsPublicOnlyIfAnotherPackageUsesIt() {
		assertThat(new ClassFileImporter().importPackages("io.rowqueue"))
			.filteredOn((type) -> CLASSES.contain(type.getName()) && type.isTopLevelClass())
			.filteredOn((type) -> type.getModifiers().contains(JavaModifier.PUBLIC))
			.filteredOn((type) -> !type.isAnnotatedWith(AutoConfiguration.class))
			.filteredOn((type) -> type.getDirectDependenciesToSelf()
				.stream()
				.allMatch((each) -> each.getOriginClass().getPackage().equals(type.getPackage())))
			.extracting(JavaClass::reflect)
			.isSubsetOf(QueueDataSource.class, QueueDataSourceCustomizer.class, QueueConnectionDetails.class,
					HandlerRegistryFactory.class, HealthThresholds.class, ReadPool.class, ReadPools.class,
					PayloadCommands.class, ShardBeans.class, InlineQueue.class, InlineQueueConfiguration.class);
	}

	@Test
	void everyFailureAnalyzerIsListed() throws IOException {
		StringBuilder listed = new StringBuilder();
		for (Resource file : new PathMatchingResourcePatternResolver()
			.getResources("classpath*:META-INF/spring.factories")) {
			listed.append(PropertiesLoaderUtils.loadProperties(file).getProperty(FailureAnalyzer.class.getName()));
		}
		assertThat(CLASSES).filteredOn((type) -> type.isAssignableTo(FailureAnalyzer.class))
			.isNotEmpty()
			.allMatch((type) -> listed.indexOf(type.getName()) >= 0);
	}

	private static List<Method> beanMethods() {
		return Arrays.stream(Applications.queue())
			.flatMap((type) -> Arrays.stream(type.getDeclaredMethods()))
			.filter((method) -> method.isAnnotationPresent(Bean.class))
			.toList();
	}

}

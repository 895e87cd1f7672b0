package io.rowqueue.test.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestPropertySource;

/**
 * Replaces the queue by a {@link io.rowqueue.test.recording.RecordingJobQueue
 * RecordingJobQueue}, which records jobs and runs none: for tests without PostgreSQL,
 * with {@code @SpringBootTest} or any slice, such as {@code @DataJpaTest} on H2 or
 * {@code @WebMvcTest} without a database. What a test has recorded is forgotten after it.
 *
 * <pre class="code">
 * &#064;SpringBootTest
 * &#064;RecordJobs
 * class SignUpTests {
 *
 *     &#064;Autowired
 *     RecordingJobQueue jobs;
 *
 * }
 * </pre>
 *
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@TestPropertySource(properties = "rowqueue.enabled=false")
@ImportAutoConfiguration
public @interface RecordJobs {

}

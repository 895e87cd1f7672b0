package io.rowqueue.petclinic;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.rowqueue.test.autoconfigure.AutoConfigureQueueTester;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.transaction.annotation.Transactional;

/** The whole application; jobs run in the thread and transaction of the test. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(properties = "petclinic.demo=false")
@AutoConfigureQueueTester
@AutoConfigureMockMvc
@Transactional
public @interface PetclinicTest {

}

package io.rowqueue.test.autoconfigure;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/** Starts the contexts of {@link QueueTest}. */
class QueueTestContextBootstrapper extends TestSliceTestContextBootstrapper<QueueTest> {

}

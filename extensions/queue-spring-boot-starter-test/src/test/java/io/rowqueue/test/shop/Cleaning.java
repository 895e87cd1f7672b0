package io.rowqueue.test.shop;

import org.springframework.stereotype.Component;

/** Cleans up. Its only handler is inherited. */
@Component
class Cleaning extends AbstractCleaning {

}

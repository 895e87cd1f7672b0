package io.rowqueue.test.shop;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A small application whose tests these are. */
@SpringBootApplication
class Shop {

}

package io.rowqueue.modulith.shop;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application with two modules: orders publish events, and mails listen to them. */
@SpringBootApplication
public class Shop {

}

package io.rowqueue.shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application; each package below is a module. */
@SpringBootApplication
public class Shop {

	public static void main(String[] args) {
		SpringApplication.run(Shop.class, args);
	}

}

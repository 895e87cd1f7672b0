package io.rowqueue.petclinic;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** A clinic for pets: JPA, web pages, and jobs that are part of its transactions. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class PetclinicApplication {

	/**
	 * Starts the application.
	 * @param args options such as {@code --server.port=8081}
	 */
	public static void main(String[] args) {
		SpringApplication.run(PetclinicApplication.class, args);
	}

}

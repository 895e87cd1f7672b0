package com.example.shop;

import io.rowqueue.JobHandler;
import io.rowqueue.JobQueue;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class Shop {

	private final JobQueue jobs;

	Shop(JobQueue jobs) {
		this.jobs = jobs;
	}

	void order() {
		this.jobs.enqueue("order-mail", "ada@example.org");
	}

	@JobHandler("order-mail")
	void confirm(String email) {
		System.out.println("Thank you, " + email);
	}

	public static void main(String[] args) {
		SpringApplication.run(Shop.class, args);
	}

}

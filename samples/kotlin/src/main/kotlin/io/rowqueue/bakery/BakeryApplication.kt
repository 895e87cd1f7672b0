package io.rowqueue.bakery

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication

/** A bakery, whose mails and orders are jobs. */
@SpringBootApplication
class BakeryApplication

fun main(args: Array<String>) {
	runApplication<BakeryApplication>(*args)
}

package io.rowqueue.bakery

import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController

@RestController
class OrderController(
	private val orders: Orders,
) {
	@PostMapping("/orders")
	fun place(
		@RequestParam email: String,
		@RequestParam(defaultValue = "cheesecake") cake: String,
	) = orders.place(email, cake)

	@PostMapping("/orders/{order}/approval")
	fun approve(
		@PathVariable order: Long,
		@RequestParam by: String,
	) = orders.approve(order, by)
}

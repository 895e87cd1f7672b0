package io.rowqueue.shop.order;

import java.util.Map;

import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
class OrderController {

	private final Orders orders;

	private final JdbcClient db;

	OrderController(Orders orders, JdbcClient db) {
		this.orders = orders;
		this.db = db;
	}

	@PostMapping("/orders")
	long place(@RequestParam String customer) {
		return this.orders.place(customer);
	}

	@GetMapping("/orders/{id}")
	Map<String, Object> find(@PathVariable long id) {
		return this.db.sql("select * from orders where id = ?")
			.param(id)
			.query()
			.listOfRows()
			.stream()
			.findFirst()
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
	}

}

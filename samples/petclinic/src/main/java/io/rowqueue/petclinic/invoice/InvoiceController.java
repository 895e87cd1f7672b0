package io.rowqueue.petclinic.invoice;

import java.math.BigDecimal;

import io.rowqueue.petclinic.clinic.NotFoundException;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;

/** Completes visits, and delivers their invoices as text. */
@Controller
class InvoiceController {

	private final Checkout checkout;

	private final Invoices invoices;

	InvoiceController(Checkout checkout, Invoices invoices) {
		this.checkout = checkout;
		this.invoices = invoices;
	}

	@PostMapping("/visits/{visit}/complete")
	String complete(@PathVariable long visit, @RequestParam @DecimalMin("0") @DecimalMax("99999.99") BigDecimal fee) {
		this.checkout.complete(visit, fee);
		return "redirect:/visits";
	}

	@GetMapping(path = "/invoices/{visit}", produces = MediaType.TEXT_PLAIN_VALUE)
	@ResponseBody
	String show(@PathVariable long visit) {
		return this.invoices.findById(visit)
			.map(Invoice::getText)
			.orElseThrow(() -> new NotFoundException("invoice of visit " + visit + " yet"));
	}

}

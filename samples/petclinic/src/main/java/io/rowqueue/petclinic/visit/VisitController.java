package io.rowqueue.petclinic.visit;

import java.time.LocalDateTime;

import io.rowqueue.petclinic.clinic.Clinic;
import jakarta.validation.Valid;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The appointment book. */
@Controller
class VisitController {

	private static final String LIST = "redirect:/visits";

	private final Appointments appointments;

	private final Visits visits;

	private final Clinic clinic;

	VisitController(Appointments appointments, Visits visits, Clinic clinic) {
		this.appointments = appointments;
		this.visits = visits;
		this.clinic = clinic;
	}

	@GetMapping("/")
	String index() {
		return LIST;
	}

	@GetMapping("/visits")
	String list(Model model) {
		model.addAttribute("visits", this.visits.findTop100ByOrderByStartsAtDesc());
		model.addAttribute("clinic", this.clinic);
		return "visits";
	}

	@PostMapping("/pets/{pet}/visits")
	String book(@PathVariable long pet, @Valid @ModelAttribute VisitForm form) {
		this.appointments.book(pet, this.clinic.time(form.startsAt()), form.reason());
		return LIST;
	}

	@PostMapping("/visits/{id}/time")
	String reschedule(@PathVariable long id,
			@RequestParam @DateTimeFormat(iso = DateTimeFormat.ISO.DATE_TIME) LocalDateTime startsAt) {
		this.appointments.reschedule(id, this.clinic.time(startsAt));
		return LIST;
	}

	@PostMapping("/visits/{id}/cancel")
	String cancel(@PathVariable long id) {
		this.appointments.cancel(id);
		return LIST;
	}

}

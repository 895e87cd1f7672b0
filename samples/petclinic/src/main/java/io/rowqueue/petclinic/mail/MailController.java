package io.rowqueue.petclinic.mail;

import io.rowqueue.petclinic.clinic.Clinic;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** The page of sent mails. */
@Controller
class MailController {

	private final SentMails mails;

	private final Clinic clinic;

	MailController(SentMails mails, Clinic clinic) {
		this.mails = mails;
		this.clinic = clinic;
	}

	@GetMapping("/mails")
	String list(Model model) {
		model.addAttribute("mails", this.mails.findTop100ByOrderByIdDesc());
		model.addAttribute("clinic", this.clinic);
		return "mails";
	}

}

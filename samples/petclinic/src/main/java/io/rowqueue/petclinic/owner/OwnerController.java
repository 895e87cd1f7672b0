package io.rowqueue.petclinic.owner;

import io.rowqueue.petclinic.clinic.NotFoundException;
import jakarta.validation.Valid;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;

/** The pages of owners. */
@Controller
class OwnerController {

	private final Owners owners;

	OwnerController(Owners owners) {
		this.owners = owners;
	}

	@GetMapping("/owners")
	String list(Model model) {
		model.addAttribute("owners", this.owners.findAllByOrderByName());
		if (!model.containsAttribute("ownerForm")) {
			model.addAttribute("ownerForm", new OwnerForm("", "", "", ""));
		}
		return "owners";
	}

	@GetMapping("/owners/{id}")
	String show(@PathVariable long id, Model model) {
		model.addAttribute("owner",
				this.owners.findWithPetsById(id).orElseThrow(() -> new NotFoundException("owner " + id)));
		return "owner";
	}

	@PostMapping("/owners")
	String add(@Valid @ModelAttribute OwnerForm ownerForm, BindingResult errors, Model model) {
		if (errors.hasErrors()) {
			return list(model);
		}
		Owner owner = new Owner(ownerForm.name(), ownerForm.email());
		owner.add(ownerForm.pet(), ownerForm.species());
		return "redirect:/owners/" + this.owners.save(owner).getId();
	}

}

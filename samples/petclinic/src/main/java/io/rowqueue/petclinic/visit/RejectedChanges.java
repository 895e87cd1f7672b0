package io.rowqueue.petclinic.visit;

import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** Shows on the page why a visit was not changed. */
@ControllerAdvice
class RejectedChanges {

	@ExceptionHandler(VisitException.class)
	String rejected(VisitException ex, RedirectAttributes flash) {
		return message(ex.reason(), flash);
	}

	@ExceptionHandler(OptimisticLockingFailureException.class)
	String changedMeanwhile(RedirectAttributes flash) {
		return message("Another user has changed this visit. Look at it again.", flash);
	}

	private static String message(String text, RedirectAttributes flash) {
		flash.addFlashAttribute("problem", text);
		return "redirect:/visits";
	}

}

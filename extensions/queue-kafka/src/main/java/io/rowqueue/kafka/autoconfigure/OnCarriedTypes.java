package io.rowqueue.kafka.autoconfigure;

import java.util.Set;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if there are types that Kafka carries. */
class OnCarriedTypes extends SpringBootCondition {

	private static final String PROPERTY = "rowqueue.kafka.types";

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		Set<String> types = Binder.get(context.getEnvironment())
			.bind(PROPERTY, Bindable.setOf(String.class))
			.orElse(Set.of());
		ConditionMessage message = ConditionMessage.forCondition(PROPERTY)
			.because(types.isEmpty() ? "names no type" : "names " + types);
		return new ConditionOutcome(!types.isEmpty(), message);
	}

}

package io.rowqueue.shop.shipping;

import org.springframework.modulith.events.Externalized;

/**
 * An order was shipped. Type and key of the job are in the annotation.
 *
 * @param order its number
 * @param customer who gets it
 */
@Externalized("order-shipped::#{customer()}")
public record OrderShipped(long order, String customer) {
}

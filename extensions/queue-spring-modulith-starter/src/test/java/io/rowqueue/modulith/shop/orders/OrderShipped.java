package io.rowqueue.modulith.shop.orders;

import org.springframework.modulith.events.Externalized;

/** An order was handed over to the carrier; others enqueue nothing else of this type. */
@Externalized("order-shipped::#{customer()}")
public record OrderShipped(long order, String customer) {

}

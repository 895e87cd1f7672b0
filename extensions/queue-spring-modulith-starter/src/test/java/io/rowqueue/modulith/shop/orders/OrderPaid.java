package io.rowqueue.modulith.shop.orders;

import java.math.BigDecimal;

/** A customer has paid an order. */
public record OrderPaid(long order, BigDecimal amount, BigDecimal rate) {

}

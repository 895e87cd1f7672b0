package io.rowqueue.modulith.shop.orders;

/** An order was refused. */
public record OrderRefused(long order) {

}

package io.rowqueue.modulith.shop.orders;

/** A customer has placed an order. */
public record OrderPlaced(long order, String customer) {

}

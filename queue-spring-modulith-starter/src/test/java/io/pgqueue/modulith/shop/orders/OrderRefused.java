package io.pgqueue.modulith.shop.orders;

/** An order was refused. */
public record OrderRefused(long order) {

}

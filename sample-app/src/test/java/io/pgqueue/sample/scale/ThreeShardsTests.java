package io.pgqueue.sample.scale;

/** Three databases. */
class ThreeShardsTests extends SameLedgerContract implements ThreeShards {

}

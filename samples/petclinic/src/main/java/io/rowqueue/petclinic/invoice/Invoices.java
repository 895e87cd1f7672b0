package io.rowqueue.petclinic.invoice;

import org.springframework.data.jpa.repository.JpaRepository;

/** The stored invoices, by the ids of their visits. */
interface Invoices extends JpaRepository<Invoice, Long> {

}

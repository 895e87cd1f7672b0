package io.rowqueue.engine.figures;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;

import com.sun.management.OperatingSystemMXBean;

/**
 * How busy a process is.
 *
 * @param cpu the share of all processors of its machine that it used since it was asked
 * before, from 0 to 1; negative if it is not known
 * @param heapUsed how many bytes of the heap are used
 * @param heapMax how many bytes the heap may have; negative if it has no bound
 */
public record ProcessLoad(double cpu, long heapUsed, long heapMax) {

	/** Nothing is known of a process that has only begun. */
	static final ProcessLoad UNKNOWN = new ProcessLoad(-1, -1, -1);

	/** Returns the load of this process. */
	static ProcessLoad now() {
		OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
		MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
		return new ProcessLoad((system != null) ? system.getProcessCpuLoad() : -1, heap.getUsed(), heap.getMax());
	}

}

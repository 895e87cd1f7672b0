package io.rowqueue.lab.verify.fault;

/** The measure for the others: nothing happens. */
final class Nothing implements FaultUnderLoad {

	@Override
	public String name() {
		return "none";
	}

	@Override
	public String description() {
		return "nothing is broken; whatever is found here is a fault of the lab or a plain defect";
	}

	@Override
	public void strike(Scene scene) throws InterruptedException {
		scene.awaitEnd();
	}

}

package io.rowqueue.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.enqueue.Carriage;
import io.rowqueue.engine.outbox.CarriedJobs;
import io.rowqueue.engine.transport.TransportParts;
import io.rowqueue.transport.Delivery;
import io.rowqueue.transport.JobConsumer;
import io.rowqueue.transport.JobMessage;
import io.rowqueue.transport.JobPublisher;
import io.rowqueue.transport.JobTransport;
import io.rowqueue.transport.TransportException;
import io.rowqueue.transport.TransportSettings;
import org.jspecify.annotations.Nullable;

/**
 * A broker in memory that does, as often as a test wants it, what brokers may do: it
 * stores messages without an answer, delivers them twice, late and out of order, forgets
 * who has got what, refuses acknowledgements, and is away. It knows which jobs may run
 * more than once because of that.
 */
public final class MemoryBroker {

	private static final String DEAD = ".dead";

	private static final Duration LOCK = Duration.ofSeconds(30);

	private final Set<String> types;

	private final TransportSettings settings;

	private final Random random;

	private final List<Message> messages = new ArrayList<>();

	private final List<Client> clients = new ArrayList<>();

	/** Jobs that were published before. */
	private final Set<Long> known = new HashSet<>();

	/** Jobs that may run twice because of what the broker did. */
	private final Set<Long> repeated = new TreeSet<>();

	private Duration lock = LOCK;

	private boolean away;

	private double unanswered;

	private double refused;

	private int maxPayload = Integer.MAX_VALUE;

	private boolean doubted;

	private boolean refusingToClose;

	private Runnable whileReleasing = () -> {
	};

	private Runnable beforeConnecting = () -> {
	};

	private long published;

	/** With the default settings. */
	public MemoryBroker(String... types) {
		this(new Random(1), TransportSettings.DEFAULT, types);
	}

	public MemoryBroker(Random random, TransportSettings settings, String... types) {
		this.random = random;
		this.settings = settings;
		this.types = Set.of(types);
	}

	/** The broker as one process sees it. */
	public synchronized Client client() {
		Client client = new Client();
		this.clients.add(client);
		return client;
	}

	/** Lets a process enqueue and run jobs that a broker carries. */
	public static UnaryOperator<TestProcess.Builder> carriedBy(JobTransport transport) {
		Runnable killed = (transport instanceof Client client) ? client::kill : () -> {
		};
		return (process) -> process.carriage(carriage(transport))
			.part((database, pool) -> new TransportParts(transport, database, pool, true), killed);
	}

	/** What an application enqueues with, some of whose jobs a broker carries. */
	public static Function<QueueDatabase, Carriage> carriage(JobTransport transport) {
		return (database) -> new CarriedJobs(QueueDatabases.of(database), transport);
	}

	/** How long a delivery is exclusive. */
	public synchronized void lock(Duration time) {
		this.lock = time;
	}

	/** It answers no requests, or does again. */
	public synchronized void away(boolean isAway) {
		this.away = isAway;
		notifyAll();
	}

	/** How often a batch is stored although the publisher gets an exception. */
	public synchronized void unanswered(double share) {
		this.unanswered = share;
	}

	/** It refuses jobs with longer payloads. */
	public synchronized void maxPayload(int characters) {
		this.maxPayload = characters;
	}

	/** How often an acknowledgement is refused. */
	public synchronized void refuse(double share) {
		this.refused = share;
	}

	/** Consumers cannot leave in an orderly way. */
	public synchronized void refuseToClose() {
		this.refusingToClose = true;
	}

	/** The next consumer that is asked cannot exclude that its delivery was revoked. */
	public synchronized void doubtOnce() {
		this.doubted = true;
	}

	/** What a process does before it gets a consumer. */
	public synchronized void beforeConnecting(Runnable action) {
		this.beforeConnecting = action;
	}

	/** What a consumer that releases jobs does when others can already get them. */
	public synchronized void whileReleasing(Runnable action) {
		this.whileReleasing = action;
	}

	/**
	 * It is restarted: messages that were not acknowledged are delivered again, as new
	 * ones.
	 */
	public synchronized void forgetDeliveries() {
		for (Message message : this.messages) {
			if (message.owner != null) {
				this.repeated.add(message.job.id());
				message.owner = null;
				message.count = 0;
			}
		}
		notifyAll();
	}

	/** It has given up a job, after ten deliveries. */
	public synchronized void giveUp(JobMessage job) {
		Message message = new Message(withType(job, job.type() + DEAD));
		message.count = 9;
		this.messages.add(message);
	}

	private static JobMessage withType(JobMessage job, String type) {
		return JobMessage.of(job.id(), type, job.queue(), job.createdAt())
			.maxAttempts(job.maxAttempts())
			.payload(job.payload())
			.headers(job.headers());
	}

	/** Delivers a job that no relay has published. */
	public synchronized void add(JobMessage job) {
		add(List.of(job));
	}

	private void add(List<JobMessage> jobs) {
		for (JobMessage job : jobs) {
			this.messages.add(new Message(job));
			if (!this.known.add(job.id())) {
				this.repeated.add(job.id());
			}
		}
		this.published += jobs.size();
		notifyAll();
	}

	/**
	 * Delivers a job to a process, for as long as that lives: whoever had it has lost it.
	 */
	public synchronized void deliverTo(Client client, long id) {
		Message message = this.messages.stream().filter((each) -> each.job.id() == id).findFirst().orElseThrow();
		MemoryConsumer consumer = new MemoryConsumer(client, message.job.type());
		client.consumers.add(consumer);
		consumer.deliver(message);
		message.lockedUntil = System.nanoTime() + Duration.ofDays(1).toNanos();
	}

	/** How many messages have not been acknowledged. */
	public synchronized int size() {
		return this.messages.size();
	}

	/** Whether a consumer has got a job. */
	public synchronized boolean isDelivered(long id) {
		return this.messages.stream().anyMatch((message) -> message.job.id() == id && message.owner != null);
	}

	/** How many messages were stored. */
	public synchronized long published() {
		return this.published;
	}

	/** How many consumers there are. */
	public synchronized long consumers() {
		return this.clients.stream().mapToLong((client) -> client.consumers.size()).sum();
	}

	/** The jobs that have messages. */
	public synchronized Set<Long> ids() {
		Set<Long> ids = new TreeSet<>();
		this.messages.forEach((message) -> ids.add(message.job.id()));
		return ids;
	}

	/** The jobs that may run more than once because of what the broker did. */
	public synchronized Set<Long> repeated() {
		return new TreeSet<>(this.repeated);
	}

	private void checkReachable(Client client) {
		if (this.away || client.killed) {
			throw new TransportException("The broker in memory is away", null);
		}
	}

	/** A message that has not been acknowledged. */
	private static final class Message {

		private static final AtomicLong numbers = new AtomicLong();

		private final JobMessage job;

		private final String origin = "Memory " + numbers.incrementAndGet();

		private int count;

		private @Nullable MemoryConsumer owner;

		private long lockedUntil;

		Message(JobMessage job) {
			this.job = job;
		}

		boolean isFree() {
			return this.owner == null || this.lockedUntil - System.nanoTime() < 0;
		}

	}

	/** The broker as one process sees it. */
	public final class Client implements JobTransport {

		private final Set<MemoryConsumer> consumers = new LinkedHashSet<>();

		private boolean killed;

		/** The process has died: its acknowledgements that were not sent are lost. */
		public void kill() {
			synchronized (MemoryBroker.this) {
				this.killed = true;
				for (Message message : MemoryBroker.this.messages) {
					if (message.owner != null && this.consumers.contains(message.owner)) {
						MemoryBroker.this.repeated.add(message.job.id());
						message.owner = null;
					}
				}
				MemoryBroker.this.notifyAll();
			}
		}

		@Override
		public String name() {
			return "Memory";
		}

		@Override
		public Set<String> types() {
			return MemoryBroker.this.types;
		}

		@Override
		public TransportSettings settings() {
			return MemoryBroker.this.settings;
		}

		@Override
		public JobPublisher createPublisher() {
			return new MemoryPublisher(this);
		}

		@Override
		public JobConsumer createDeadLetterConsumer(String type) {
			return createConsumer(type + DEAD);
		}

		@Override
		public JobConsumer createConsumer(String type) {
			MemoryBroker.this.beforeConnecting.run();
			synchronized (MemoryBroker.this) {
				checkReachable(this);
				MemoryConsumer consumer = new MemoryConsumer(this, type);
				this.consumers.add(consumer);
				return consumer;
			}
		}

	}

	private final class MemoryPublisher implements JobPublisher {

		private final Client client;

		MemoryPublisher(Client client) {
			this.client = client;
		}

		@Override
		public List<JobMessage> publish(List<JobMessage> all) {
			synchronized (MemoryBroker.this) {
				checkReachable(this.client);
				List<JobMessage> jobs = new ArrayList<>(all);
				List<JobMessage> refused = all.stream().filter(this::isTooLong).toList();
				jobs.removeAll(refused);
				if (!jobs.isEmpty()) {
					store(jobs);
				}
				return refused;
			}
		}

		private boolean isTooLong(JobMessage job) {
			return job.payload() != null && job.payload().length() > MemoryBroker.this.maxPayload;
		}

		private void store(List<JobMessage> jobs) {
			if (MemoryBroker.this.random.nextDouble() < MemoryBroker.this.unanswered) {
				List<JobMessage> some = jobs.subList(0, 1 + MemoryBroker.this.random.nextInt(jobs.size()));
				// it may be published again, or run from the database
				some.forEach((job) -> MemoryBroker.this.repeated.add(job.id()));
				add(some);
				throw new TransportException("The broker in memory has not answered", null);
			}
			add(jobs);
		}

		@Override
		public void close() {
			// it holds nothing
		}

	}

	private final class MemoryConsumer implements JobConsumer {

		private final Client client;

		private final String type;

		private final ConcurrentLinkedQueue<Delivery> acknowledgements = new ConcurrentLinkedQueue<>();

		private Consumer<Collection<Delivery>> failures = (deliveries) -> {
		};

		private boolean woken;

		MemoryConsumer(Client client, String type) {
			this.client = client;
			this.type = type;
		}

		@Override
		public List<Delivery> poll(int max, Duration timeout) throws InterruptedException {
			synchronized (MemoryBroker.this) {
				checkReachable(this.client);
				sendAcknowledgements();
				long end = System.nanoTime() + timeout.toNanos();
				List<Delivery> deliveries = deliver(max);
				while (deliveries.isEmpty() && max > 0 && !this.woken && end - System.nanoTime() > 0) {
					TimeUnit.NANOSECONDS.timedWait(MemoryBroker.this, Math.max(1_000_000, end - System.nanoTime()));
					checkReachable(this.client);
					deliveries = deliver(max);
				}
				this.woken = false;
				return deliveries;
			}
		}

		private List<Delivery> deliver(int max) {
			List<Message> free = new ArrayList<>(MemoryBroker.this.messages.stream()
				.filter((message) -> message.isFree() && message.job.type().equals(this.type))
				.limit(2L * max)
				.toList());
			Collections.shuffle(free, MemoryBroker.this.random);
			return new ArrayList<>(free.stream().limit(max).map(this::deliver).toList());
		}

		private JobMessage withoutSuffix(JobMessage job) {
			return job.type().endsWith(DEAD) ? withType(job, job.type().replace(DEAD, "")) : job;
		}

		private Delivery deliver(Message message) {
			if (message.owner != null) {
				MemoryBroker.this.repeated.add(message.job.id());
			}
			message.owner = this;
			message.count++;
			message.lockedUntil = System.nanoTime() + MemoryBroker.this.lock.toNanos();
			return Delivery.of(withoutSuffix(message.job), message.origin, message.count, message)
				.exclusiveUntil(message.lockedUntil);
		}

		@Override
		public void wakeUp() {
			synchronized (MemoryBroker.this) {
				this.woken = true;
				MemoryBroker.this.notifyAll();
			}
		}

		@Override
		public void acknowledge(Collection<Delivery> deliveries) {
			this.acknowledgements.addAll(deliveries);
		}

		private void sendAcknowledgements() {
			List<Delivery> failed = new ArrayList<>();
			for (Delivery delivery = this.acknowledgements.poll(); delivery != null; delivery = this.acknowledgements
				.poll()) {
				Message message = (Message) delivery.handle();
				boolean refuse = MemoryBroker.this.random.nextDouble() < MemoryBroker.this.refused;
				if (refuse && message.owner == this) {
					MemoryBroker.this.repeated.add(message.job.id());
					message.owner = null;
				}
				if (refuse || message.owner != this || message.count != delivery.count()) {
					failed.add(delivery);
				}
				else {
					MemoryBroker.this.messages.remove(message);
				}
			}
			if (!failed.isEmpty()) {
				this.failures.accept(failed);
			}
		}

		/** As in a consumer group: a job that was not started was not delivered. */
		@Override
		public void release(Collection<Delivery> deliveries) {
			synchronized (MemoryBroker.this) {
				for (Delivery delivery : deliveries) {
					Message message = (Message) delivery.handle();
					if (message.owner == this) {
						message.owner = null;
						message.count--;
					}
				}
				MemoryBroker.this.notifyAll();
			}
			MemoryBroker.this.whileReleasing.run();
		}

		@Override
		public void renew(Collection<Delivery> deliveries) {
			synchronized (MemoryBroker.this) {
				for (Delivery delivery : deliveries) {
					Message message = (Message) delivery.handle();
					if (message.owner == this) {
						message.lockedUntil = System.nanoTime() + MemoryBroker.this.lock.toNanos();
					}
				}
			}
		}

		@Override
		public boolean isRevoked(Delivery delivery) {
			synchronized (MemoryBroker.this) {
				boolean doubt = MemoryBroker.this.doubted;
				MemoryBroker.this.doubted = false;
				return doubt || ((Message) delivery.handle()).owner != this;
			}
		}

		@Override
		public void onAcknowledgeFailure(Consumer<Collection<Delivery>> listener) {
			this.failures = listener;
		}

		@Override
		public void close() {
			synchronized (MemoryBroker.this) {
				if (!MemoryBroker.this.away && !this.client.killed) {
					sendAcknowledgements();
				}
				this.client.consumers.remove(this);
				for (Message message : MemoryBroker.this.messages) {
					if (message.owner == this) {
						MemoryBroker.this.repeated.add(message.job.id());
						message.owner = null;
					}
				}
				MemoryBroker.this.notifyAll();
				if (MemoryBroker.this.refusingToClose) {
					throw new TransportException("The consumer in memory did not leave in an orderly way", null);
				}
			}
		}

	}

}

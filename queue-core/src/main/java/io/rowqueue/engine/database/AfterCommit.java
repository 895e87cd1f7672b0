package io.rowqueue.engine.database;

import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.util.Iterator;
import java.util.List;

import io.rowqueue.JobQueueException;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationUtils;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Recognizes that the calling thread's transaction notifies its synchronizations of its
 * commit. Spring has no state for that, and so the stack decides: the innermost
 * notification on it is one of a commit, and of the current transaction, not of one that
 * is suspended.
 */
final class AfterCommit {

	private static final StackWalker STACK = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);

	private AfterCommit() {
	}

	/**
	 * Whether one of the synchronizations is being notified.
	 * @param registered those of the calling thread's transaction
	 * @throws JobQueueException if that cannot be known
	 */
	static boolean isNotified(List<TransactionSynchronization> registered) {
		return !registered.isEmpty() && STACK.walk((frames) -> isNotified(frames.iterator(), registered));
	}

	private static boolean isNotified(Iterator<StackFrame> frames, List<TransactionSynchronization> registered) {
		Class<?> inner = AfterCommit.class;
		Class<?> innermostScope = null;
		int scopes = 0;
		while (frames.hasNext()) {
			StackFrame frame = frames.next();
			Class<?> type = frame.getDeclaringClass();
			if (type == TransactionSynchronizationUtils.class) {
				return frame.getMethodName().equals("invokeAfterCommit")
						&& registered.stream().anyMatch(inner::isInstance) && hasJoined(innermostScope, scopes);
			}
			if (isScope(type, frame.getMethodName())) {
				innermostScope = (innermostScope != null) ? innermostScope : type;
				scopes++;
			}
			inner = type;
		}
		return false;
	}

	private static boolean isScope(Class<?> type, String method) {
		return (type == TransactionTemplate.class && method.equals("execute"))
				|| (type == TransactionAspectSupport.class && method.equals("invokeWithinTransaction"));
	}

	/**
	 * Whether the scopes that were entered since the notification have joined the
	 * transaction that notifies.
	 */
	private static boolean hasJoined(@Nullable Class<?> innermostScope, int scopes) {
		if (innermostScope == TransactionAspectSupport.class) {
			boolean own = TransactionAspectSupport.currentTransactionStatus().isNewTransaction();
			if (own || scopes == 1) {
				return !own;
			}
		}
		if (scopes > 0) {
			throw new JobQueueException("This call comes from TransactionSynchronization.afterCommit through a"
					+ " transactional scope that may have joined the transaction that was committed, which Spring does not"
					+ " tell. Call the queue outside of that scope, or in a method with"
					+ " @Transactional(propagation = Propagation.REQUIRES_NEW)");
		}
		return true;
	}

}

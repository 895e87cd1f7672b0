package io.rowqueue.dashboard.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

import io.rowqueue.dashboard.http.Content;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/**
 * The files that pages load, in memory. All of them have one hash: it is in their paths,
 * so that a browser keeps them for ever and never mixes those of two versions.
 */
public final class Assets {

	/** Where they are on the class path. */
	public static final String FOLDER = "io/rowqueue/dashboard/web/";

	private static final Set<String> EXTENSIONS = Set.of("html", "js", "css", "svg", "png", "ico", "woff2");

	private static final Pattern COMMENT = Pattern.compile("(?ms)^[ \\t]*(/\\*.*?\\*/|//[^\\n]*)");

	/** The types of parameters, which only a type checker reads. */
	private static final Pattern TYPE = Pattern.compile("/\\*\\* @[^*\\n]*\\*/ ?");

	private static final Pattern INDENTATION = Pattern.compile("(?m)^\\t+");

	private final SortedMap<String, Asset> files;

	private final String hash;

	Assets(Map<String, Content> files) {
		this.files = new TreeMap<>();
		MessageDigest digest = sha256();
		new TreeMap<>(files).forEach((path, content) -> {
			this.files.put(path, Asset.of(path, content));
			digest.update(path.getBytes(StandardCharsets.UTF_8));
			digest.update(content.bytes());
		});
		this.hash = HexFormat.of().formatHex(digest.digest(), 0, 8);
	}

	/** Reads them from the class path. */
	public static Assets load(ClassLoader classLoader) throws IOException {
		Map<String, Content> files = new TreeMap<>();
		for (Resource resource : new PathMatchingResourcePatternResolver(classLoader)
			.getResources("classpath*:" + FOLDER + "**/*.*")) {
			String url = resource.getURL().toString();
			String path = url.substring(url.lastIndexOf(FOLDER) + FOLDER.length());
			if (EXTENSIONS.contains(path.substring(path.lastIndexOf('.') + 1))) {
				files.put(path, compacted(path, Content.of(resource.getContentAsByteArray())));
			}
		}
		return new Assets(files);
	}

	/**
	 * Leaves out comments that have their own lines, the types of parameters and the
	 * indentation, a sixth of what browsers would load. The lines keep their numbers, so
	 * that a stack trace is that of the source. Licenses of others stay.
	 */
	static Content compacted(String path, Content content) {
		if (path.startsWith("vendor/") || !(path.endsWith(".js") || path.endsWith(".css"))) {
			return content;
		}
		String code = COMMENT.matcher(content.toString())
			.replaceAll((comment) -> "\n".repeat((int) comment.group().chars().filter((each) -> each == '\n').count()));
		return Content.of(INDENTATION.matcher(TYPE.matcher(code).replaceAll("")).replaceAll(""));
	}

	/** Returns the hash of all of them. */
	public String hash() {
		return this.hash;
	}

	/** Returns the paths of all of them. */
	Set<String> paths() {
		return this.files.keySet();
	}

	/** Returns the file at a path. */
	@Nullable Asset find(String path) {
		return this.files.get(path);
	}

	private static MessageDigest sha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java has SHA-256", ex);
		}
	}

}

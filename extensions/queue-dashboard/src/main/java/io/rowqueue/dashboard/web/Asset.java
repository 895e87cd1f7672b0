package io.rowqueue.dashboard.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

import io.rowqueue.dashboard.http.Content;
import org.jspecify.annotations.Nullable;

/**
 * A file that pages load.
 *
 * @param contentType its type
 * @param content the file
 * @param gzipped the same, compressed; {@code null}: that is not smaller
 */
record Asset(String contentType, Content content, @Nullable Content gzipped) {

	private static final Map<String, String> TYPES = Map.of("html", "text/html;charset=UTF-8", "js",
			"text/javascript;charset=UTF-8", "css", "text/css;charset=UTF-8", "svg", "image/svg+xml", "json",
			"application/json", "png", "image/png", "ico", "image/x-icon", "woff2", "font/woff2");

	static Asset of(String path, Content content) {
		String extension = path.substring(path.lastIndexOf('.') + 1);
		return new Asset(TYPES.getOrDefault(extension, "text/plain;charset=UTF-8"), content, gzip(content));
	}

	private static @Nullable Content gzip(Content content) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
			gzip.write(content.bytes());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return (bytes.size() < content.length()) ? Content.of(bytes.toByteArray()) : null;
	}

}

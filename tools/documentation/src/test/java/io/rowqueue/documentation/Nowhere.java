package io.rowqueue.documentation;

import java.io.OutputStream;
import java.net.URI;

import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;

/** Forgets the classes that are compiled. */
final class Nowhere extends ForwardingJavaFileManager<JavaFileManager> {

	Nowhere(JavaCompiler compiler) {
		super(compiler.getStandardFileManager(null, null, null));
	}

	@Override
	public JavaFileObject getJavaFileForOutput(Location location, String className, JavaFileObject.Kind kind,
			FileObject sibling) {
		return new SimpleJavaFileObject(URI.create("memory:///" + className.replace('.', '/') + kind.extension), kind) {

			@Override
			public OutputStream openOutputStream() {
				return OutputStream.nullOutputStream();
			}

		};
	}

}

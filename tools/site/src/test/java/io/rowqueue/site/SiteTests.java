package io.rowqueue.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class SiteTests {

	@TempDir
	Path root;

	@TempDir
	Path sites;

	@BeforeEach
	void aRepositoryWithTwoPages() throws IOException {
		file("README.md", "# Readme\n\n```java\nclass Code {\n}\n```\n\n[Docs](docs/README.md), [log](CHANGELOG.md)\n");
		for (String name : new String[] { "CHANGELOG.md", "SECURITY.md" }) {
			file(name, "# Other\n");
		}
		file("llms.txt", "- [Flows](docs/flows.md)\n");
		file("docs/README.md", "# Documentation\n\n**Start**\n\n| | |\n|---|---|\n| [Flows](flows.md) | jobs |\n");
		file("docs/flows.md",
				"# Flows\n\n## When a job fails\n\n[code](../src/Code.java), [itself](#when-a-job-fails)\n");
		file("src/Code.java", "class Code { }");
	}

	@Test
	void linksToPagesLeadToHtmlAndLinksToOtherFilesToTheRepository() {
		Pages pages = pages();
		String flows = new PageRenderer(this.root, pages, "https://example.org/blob/HEAD")
			.render(pages.get("docs/flows.md"));
		assertThat(flows).contains("href=\"https://example.org/blob/HEAD/src/Code.java\"")
			.contains("href=\"#when-a-job-fails\"")
			.contains("<h2 id=\"when-a-job-fails\">");
		assertThat(new PageRenderer(this.root, pages, "x").render(pages.get("docs/README.md")))
			.contains("href=\"flows.html\"");
	}

	@Test
	void aTableWithoutATitleHasNoHead() {
		Pages pages = pages();
		assertThat(new PageRenderer(this.root, pages, "x").render(pages.get("docs/README.md"))).contains("<table>")
			.doesNotContain("<thead>");
	}

	@Test
	void aLinkToAMissingFileIsRejected() throws IOException {
		file("docs/flows.md", "# Flows\n\n[gone](gone.md)\n");
		Pages pages = pages();
		PageRenderer renderer = new PageRenderer(this.root, pages, "x");
		assertThatIllegalStateException().isThrownBy(() -> renderer.render(pages.get("docs/flows.md")))
			.withMessage("docs/flows.md links to gone.md, which does not exist");
	}

	@Test
	void aPageThatNoIndexListsIsRejected() throws IOException {
		file("docs/forgotten.md", "# Forgotten\n");
		Pages pages = pages();
		assertThatIllegalStateException().isThrownBy(() -> Navigation.of(pages)).withMessageContaining("forgotten.md");
	}

	@Test
	void theCheckFindsMissingFilesMissingHeadingsAndWhatIsLoadedFromElsewhere() throws IOException {
		Path site = this.sites.resolve("1.0.0");
		Files.createDirectories(site);
		Files.writeString(site.resolve("a.html"), """
				<h2 id="here">Here</h2><a href="#here">a</a><a href="#there">b</a><a class="x" href="gone.html">c</a>
				<script src="https://example.org/script.js"></script><a href="https://example.org">d</a>
				""");
		assertThat(LinkCheck.problems(site)).containsExactly("a.html links to #there, but the page has no such heading",
				"a.html links to gone.html, which does not exist", "a.html loads https://example.org/script.js");
	}

	@Test
	void theNewestVersionComesFirst() throws IOException {
		for (String version : new String[] { "0.9.0", "0.10.0-SNAPSHOT", "0.10.0" }) {
			Files.createDirectories(this.sites.resolve(version + "/docs"));
			Files.createFile(this.sites.resolve(version + "/docs/index.html"));
		}
		Versions.write(this.sites);
		assertThat(this.sites.resolve("versions.js"))
			.hasContent("window.rowqueueVersions = [\"0.10.0\",\"0.10.0-SNAPSHOT\",\"0.9.0\"];");
		assertThat(Files.readString(this.sites.resolve("index.html"))).contains("0.10.0/index.html");
	}

	private Pages pages() {
		try {
			return new Pages(this.root);
		}
		catch (IOException ex) {
			throw new java.io.UncheckedIOException(ex);
		}
	}

	private void file(String name, String text) throws IOException {
		Path file = this.root.resolve(name);
		Files.createDirectories(file.getParent());
		Files.writeString(file, text);
	}

}

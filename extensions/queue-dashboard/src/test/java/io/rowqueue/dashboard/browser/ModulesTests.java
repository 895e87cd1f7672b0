package io.rowqueue.dashboard.browser;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import io.rowqueue.dashboard.fixture.Scenario;
import io.rowqueue.dashboard.http.PathNames;
import io.rowqueue.engine.support.Times;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** What the modules compute, apart from what they draw. */
class ModulesTests extends BrowserTest {

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private static BrowserPage page;

	@BeforeAll
	static void open() throws IOException {
		page = page();
		page.go(open(Scenario.BUSY).address(""));
	}

	@AfterAll
	static void leave() {
		if (page != null) {
			page.leave();
		}
	}

	@Test
	void namesAreWrittenIntoPathsAsTheServerReadsThem() {
		for (String name : List.of("mail", "a b", "a/b;c?d#e%2F", "~7E", ".", "..", "ä€😀", "x:y_z.1-2")) {
			String written = call("names.js", "m.encodeName(" + JSON.writeValueAsString(name) + ")");
			assertThat(written).as(name).isEqualTo(PathNames.encode(name));
			assertThat(call("names.js", "m.decodeName('" + written + "')")).isEqualTo(name);
		}
	}

	@Test
	void percentEncodingOfANameIsUndone() {
		assertThat(call("names.js", "m.decodeName('a%7E2Fb')")).isEqualTo("a/b");
		assertThat(call("names.js", "m.decodeName('gr%C3%B6~C3~9Fe%20')")).isEqualTo("größe ");
		assertThat(call("names.js", "m.decodeName('50%')")).isEqualTo("50%");
	}

	/** Java has zones that browsers do not have. */
	@Test
	void timesAreShownInEveryZoneThatAServerCanHave() {
		call("preferences.js", "m.prefer({ zone: 'server' })");
		for (String[] zone : new String[][] { { "Europe/Berlin", "11:00:00" }, { "GMT+02:00", "12:00:00" },
				{ "UTC-05:30", "04:30:00" }, { "Z", "10:00:00" }, { "Nowhere/Known", "10:00:00" } }) {
			assertThat(call("format.js",
					"(m.serverZoneIs('" + zone[0] + "'),"
							+ " m.clock('2026-11-22T10:00:00Z', Date.parse('2026-11-22T10:00:00Z')))"))
				.as(zone[0])
				.isEqualTo(zone[1]);
		}
	}

	@Test
	void aPreferenceDoesNotUndoThoseOfAnotherTab() {
		String other = "localStorage.setItem('rowqueue', JSON.stringify({ views: [{ name: 'mine', href: 'jobs' }] })), ";
		assertThat(call("preferences.js", "(" + other + "m.prefer({ zone: 'utc' }), localStorage.getItem('rowqueue'))"))
			.contains("\"mine\"", "\"utc\"");
		other = other.replace("mine", "also mine");
		assertThat(call("preferences.js", "(" + other
				+ "dispatchEvent(new StorageEvent('storage', { key: 'rowqueue' })), m.preferences.views[0].name)"))
			.isEqualTo("also mine");
	}

	/** They stand beside each other. */
	@Test
	void aDurationOfAPageIsThatOfASentenceOfTheServer() {
		for (long millis : new long[] { 0, 1, 320, 999, 1000, 1049, 1999, 4290, 9960, 9999, 10_000, 42_900, 59_999,
				60_000, 98_100, 252_000, 3_599_999, 3_600_000, 10_784_000, 86_399_999, 86_400_000, 90_061_000,
				864_000_000 }) {
			assertThat(call("format.js", "m.duration(" + millis + ")")).as("%s ms", millis)
				.isEqualTo(Times.readable(Duration.ofMillis(millis)));
		}
	}

	@Test
	void durationsHaveTwoUnits() {
		assertThat(call("format.js",
				"[0, 320, 4200, 42000, 252000, 11040000, 90061000, null].map(m.duration).join(' | ')"))
			.isEqualTo("0 ms | 320 ms | 4.2 s | 42 s | 4 min 12 s | 3 h 4 min | 1 d 1 h | –");
	}

	@Test
	void anEstimateIsNeverShownAsANumberThatWasCounted() {
		assertThat(call("format.js",
				"['exact', 'estimate', 'atLeast'].map((kind) => m.count({ value: 1000, kind })).join(' | ')"))
			.isEqualTo("1,000 | ≈ 1,000 | 1,000+");
	}

	@Test
	void aSumIsAsExactAsItsNumbers() {
		for (String[] sum : new String[][] { { "exact exact", "exact" }, { "exact atLeast", "atLeast" },
				{ "atLeast estimate exact", "estimate" } }) {
			assertThat(call("format.js",
					"JSON.stringify(m.sum(['" + String.join("','", sum[0].split(" "))
							+ "'].map((kind) => ({ value: 2, kind }))))"))
				.isEqualTo("{\"value\":" + 2 * sum[0].split(" ").length + ",\"kind\":\"" + sum[1] + "\"}");
		}
		assertThat(call("format.js", "String(m.sum([undefined]))")).isEqualTo("null");
	}

	@Test
	void aShareIsAllOrNothingOnlyIfItIs() {
		assertThat(call("format.js",
				"[[37, 200], [469, 500], [1, 1000000], [999999, 1000000], [0, 7], [7, 7], [0, 0]].map(([a, b]) => m.percent(a, b)).join(' | ')"))
			.isEqualTo("18.5% | 93.8% | < 0.1% | 99.9% | 0% | 100% | –");
	}

	/** A bar of states shows that there are a few; one of progress how far it is. */
	@Test
	void theBarOfProgressIsAsWideAsWhatHasEnded() {
		assertThat(call("states.js", "JSON.stringify(m.shares({ jobs: 200, succeeded: 37, failed: 3, cancelled: 0 }))"))
			.isEqualTo(
					"[{\"state\":\"succeeded\",\"x\":0,\"width\":18.5},{\"state\":\"failed\",\"x\":18.5,\"width\":1.5}]");
		assertThat(call("states.js", "String(m.shares({ jobs: 0, succeeded: 0, failed: 0, cancelled: 0 }).length)"))
			.isEqualTo("0");
	}

	@Test
	void timesOfOtherDaysHaveTheirSeconds() {
		call("preferences.js", "m.prefer({ zone: 'utc' })");
		assertThat(call("format.js", "m.clock('2026-11-27T23:56:07Z', Date.parse('2026-11-28T00:01:00Z'))"))
			.isEqualTo("27 Nov 23:56:07");
	}

	/** Also on the days when clocks are changed, and whenever the calendar is opened. */
	@Test
	void aDayOfTheCalendarBeginsAtMidnight() {
		call("preferences.js", "m.prefer({ zone: 'server' })");
		call("format.js", "(m.serverZoneIs('Europe/Berlin'), '')");
		assertThat(call("../pages/calendar.js",
				"m.midnights(Date.parse('2026-03-27T10:37:41Z'), 4).map((s) => new Date(Date.parse('2026-03-27T10:37:41Z') + 1000 * s).toISOString().slice(0, 19)).join(' ')"))
			.isEqualTo("2026-03-27T23:00:00 2026-03-28T23:00:00 2026-03-29T22:00:00 2026-03-30T22:00:00");
	}

	@Test
	void aProblemIsToldWithWhatHappened() {
		assertThat(call("api.js",
				"new m.ApiProblem({ type: '', status: 503, title: 'The database does not answer', detail: 'The log of the application has the reason.' }).sentence"))
			.isEqualTo("The database does not answer. The log of the application has the reason.");
	}

	@Test
	void jsonIsIndentedWithoutBeingParsed() {
		assertThat(call("json.js", "m.tokens('{\"b\":1.10,\"a\":[9007199254740993,{}]}').map((t) => t.text).join('')"))
			.isEqualTo("{\n  \"b\": 1.10,\n  \"a\": [\n    9007199254740993,\n    {}\n  ]\n}");
		assertThat(call("json.js", "String(m.tokens('<xml/>'))")).isEqualTo("null");
	}

	@Test
	void linesThatTwoTextsHaveInCommonStayBesideEachOther() {
		String shown = ".map(({ one, other }) => one === other ? one : `[${one ?? ''}|${other ?? ''}]`).join('')";
		for (String[] texts : new String[][] { { "abc", "abc", "abc" }, { "abcxyz", "abzxyz", "ab[c|z]xyz" },
				{ "abcde", "bde", "[a|]b[c|]de" }, { "kitten", "sitting", "[k|s]itt[e|i]n[|g]" },
				{ "", "ab", "[|a][|b]" } }) {
			assertThat(call("diff.js", "m.diff([...'" + texts[0] + "'], [...'" + texts[1] + "'])" + shown))
				.isEqualTo(texts[2]);
		}
		assertThat(call("diff.js",
				"m.fold(m.diff([...'0123456789a0123456789'], [...'0123456789b0123456789'])).map(({ kind, rows }) => kind + ' ' + rows.length).join(', ')"))
			.isEqualTo("folded 7, same 3, differs 1, same 3, folded 7");
		assertThat(call("diff.js",
				"String(m.diff(Array.from({ length: 2000 }, (_, i) => 'a' + i), Array.from({ length: 2000 }, (_, i) => 'b' + i)).length)"))
			.as("texts that are too different to be searched")
			.isEqualTo("2000");
	}

	/** Spaces for thousands of levels would fill the memory of the browser. */
	@Test
	void jsonOfThousandsOfLevelsIsIndentedUpToABound() {
		assertThat(call("json.js", "String(m.tokens('['.repeat(2000) + '7' + ']'.repeat(2000))"
				+ ".reduce((sum, token) => sum + token.text.length, 0) < 500_000)"))
			.isEqualTo("true");
	}

	@Test
	void aPayloadBeginsAsItsSchemaSays() {
		assertThat(call("template.js",
				"""
						m.templateOf({ $defs: { Item: { type: 'object', properties: { sku: { type: 'string' },
							parts: { type: 'array', items: { $ref: '#/$defs/Item' } }, whole: { $ref: '#/$defs/Item' } } } },
							type: 'object', properties: { item: { $ref: '#/$defs/Item' }, self: { $ref: '#' }, at: { type: 'string', format: 'date-time' },
								event: { enum: ['created'] }, count: { type: 'integer' }, on: { type: 'boolean' }, any: {}, note: { type: ['string', 'null'] },
								shape: { anyOf: [{ allOf: [{ type: 'object', properties: { radius: { type: 'number' } } }, { type: 'object', properties: { kind: { const: 'circle' } } }] }] } } })
							.replace(/\\s/g, '')"""))
			.isEqualTo("{\"item\":{\"sku\":\"\",\"parts\":[],\"whole\":null},\"self\":null,"
					+ "\"at\":null,\"event\":\"created\",\"count\":0,\"on\":false,\"any\":null,\"note\":null,"
					+ "\"shape\":{\"radius\":0,\"kind\":\"circle\"}}");
		assertThat(call("template.js", "m.templateOf({ type: 'string' }) + m.templateOf({ type: 'array', items: {} })"))
			.isEqualTo("\"\"[]");
	}

	@Test
	void agesFollowAClockThatWasSet() {
		assertThat(call("clock.js", """
				[0, 3_600_000, -7_200_000].map((ahead) => {
					m.learn(new Date(Date.now() + ahead).toISOString());
					return Math.abs(m.now() - Date.now() - ahead) < 30_000;
				}).join(' ')""")).isEqualTo("true true true");
	}

	@Test
	void controlsOfTheDirectionOfTextAreShown() {
		assertThat(call("blocks.js", "m.visible('a\\u202eb\\u061cc\\u0085d\\u2028e')"))
			.isEqualTo("a\\u202eb\\u061cc\\u0085d\\u2028e");
		assertThat(call("blocks.js", "m.visible('ma\\u200dil')")).isEqualTo("ma\\u200dil");
		String joined = "\uD83D\uDC69\u200D\uD83D\uDCBB \u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645";
		assertThat(call("blocks.js", "m.visible('" + joined + "')")).as("joiners of scripts and emoji")
			.isEqualTo(joined);
	}

	@Test
	void theFilterReadsWordsQuotesAndIds() {
		assertThat(call("filter.js",
				"JSON.stringify(m.parse('queue:\"a b\" type:x #42 not found', ['queue', 'type', 'q']))"))
			.isEqualTo("{\"words\":[[\"queue\",\"a b\"],[\"type\",\"x\"],[\"id\",\"42\"],[\"q\",\"not found\"]],"
					+ "\"unknown\":null}");
		assertThat(call("filter.js",
				"JSON.stringify(m.parse('-type:x attempt:>3 -error:\"a b\" -1', ['-type', 'attempt', '-error', 'q']).words)"))
			.isEqualTo("[[\"-type\",\"x\"],[\"attempt\",\">3\"],[\"-error\",\"a b\"],[\"q\",\"-1\"]]");
		assertThat(call("filter.js", "m.parse('-tag:x', ['-type']).unknown")).isEqualTo("-tag");
		assertThat(call("filter.js", "m.parse('tag:x', ['queue']).unknown")).isEqualTo("tag");
		assertThat(call("filter.js", "String(m.range('>-2h').endsWith('Z..') && m.range('<-1d').startsWith('..2'))"))
			.isEqualTo("true");
		assertThat(call("filter.js", "m.range('2026-11-22T10:00Z..')")).isEqualTo("2026-11-22T10:00Z..");
		assertThat(call("filter.js",
				"JSON.stringify(m.parse('\"connection refused\" https://hooks.example.com/a?b:c type:x', ['type', 'q']))"))
			.isEqualTo("{\"words\":[[\"type\",\"x\"],[\"q\",\"connection refused https://hooks.example.com/a?b:c\"]],"
					+ "\"unknown\":null}");
		call("preferences.js", "m.prefer({ zone: 'server' })");
		call("format.js", "(m.serverZoneIs('Europe/Berlin'), '')");
		assertThat(call("filter.js", "m.shown('created', '2020-11-27T22:06:26Z..')"))
			.isEqualTo("created: 27 Nov 2020 23:06:26..");
		assertThat(call("filter.js", "m.shown('type', '2020..')")).isEqualTo("type: 2020..");
	}

	@Test
	void stackTracesKeepTheFramesOfTheApplicationAndFoldTheOthers() {
		String trace = "java.io.IOException: x\\n\\tat java.base/java.net.Socket.open(Socket.java:1)\\n"
				+ "\\tat com.acme.Shop.pay(Shop.java:2)\\n\\tat org.springframework.aop.A.b(A.java:3)\\n"
				+ "\\tat com.acme.Shop$$SpringCGLIB$$0.pay(<generated>)\\nCaused by: y\\n\\t... 2 more";
		assertThat(call("trace.js", "m.parts('" + trace + "').map((p) => p.kind).join(' ')"))
			.isEqualTo("cause folded own folded cause folded");
	}

	@Test
	void aGraphHasLayersAndNoNodeUponAnEdge() {
		String steps = "[{ name: 'a', after: [] }, { name: 'b', after: ['a'] }, { name: 'c', after: ['b'] },"
				+ " { name: 'd', after: ['c', 'a', 'gone'] }]";
		assertThat(call("layers.js", "m.layers(" + steps
				+ ").map((layer) => layer.map((p) => p.node.to ? '-' : p.node.name).sort().join('')).join(' ')"))
			.isEqualTo("a -b -c d");
	}

	/** Who may not see payloads sees the same name everywhere. */
	@Test
	void aGraphOfHiddenNamesHasItsLayersAndEdges() {
		assertThat(page
			.evaluate(
					"""
							(() => {
								const graph = document.createElement('q-graph');
								document.body.append(graph);
								graph.jobs = [[], [0], [0, 1]].map((predecessors, i) => ({ name: '******', job: i + 1, type: 't' + i,
									state: 'queued', after: predecessors.map(() => '******'), predecessors, addedBy: null }));
								const columns = [...graph.querySelectorAll('.node')].map((node) => node.transform.baseVal[0].matrix.e);
								return new Set(columns).size + ' layers, ' + graph.querySelectorAll('.edge').length + ' edges, '
									+ graph.querySelector('text.name').textContent;
							})()""")
			.asString("")).isEqualTo("3 layers, 4 edges, ******");
	}

	@Test
	void equalSiblingsOfAGraphAreFolded() {
		String steps = "[{ name: 'all', type: 'x', state: 'queued', after: [] }, ...Array.from({ length: 400 },"
				+ " (_, i) => ({ name: 'part' + i, type: 'p', state: 'blocked', after: ['all'] }))]";
		assertThat(call("layers.js", "m.fold(" + steps + ").map((s) => s.name + (s.times ?? '')).join(' ')"))
			.isEqualTo("all part0400");
	}

	/** Evaluates an expression in which {@code m} is a module. */
	private static String call(String module, String expression) {
		return page
			.evaluate("import(document.querySelector('script[type=module]').src.replace('app.js', 'parts/" + module
					+ "')).then((m) => " + expression + ")")
			.asString("");
	}

}

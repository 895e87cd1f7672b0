// The pages work without it: it adds the theme, the menu, the versions, the search and the colours of code.
const page = document.documentElement;
const root = page.dataset.root;
const one = (selector) => document.querySelector(selector);

const load = (file) => new Promise((done, failed) => {
	const script = document.createElement("script");
	script.src = root + file;
	script.onload = done;
	script.onerror = failed;
	document.head.append(script);
});

const theme = one(".theme");
theme.hidden = false;
theme.addEventListener("click", () => {
	const dark = page.dataset.theme ? page.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
	page.dataset.theme = dark ? "light" : "dark";
	try { localStorage.setItem("rowqueue-theme", page.dataset.theme); } catch { /* private windows: only this page */ }
});

const menu = one(".menu");
menu.hidden = false;
menu.addEventListener("click", () => {
	const open = document.body.classList.toggle("open");
	menu.setAttribute("aria-expanded", open);
});
const current = one("#navigation [aria-current]");
if (current && matchMedia("(min-width: 900px)").matches) current.scrollIntoView({ block: "center" });

// the same page of another version may not exist: its first page does
load("../versions.js").then(() => {
	const select = one(".versions select");
	const here = page.dataset.version;
	const versions = window.rowqueueVersions.includes(here) ? window.rowqueueVersions : [here, ...window.rowqueueVersions];
	select.replaceChildren(...versions.map((version) => new Option(version, version, version === here, version === here)));
	select.disabled = versions.length < 2;
	select.addEventListener("change", () => { location.href = `${root}../${select.value}/index.html`; });
}, () => { /* this version stands alone */ });

document.querySelectorAll("pre > code").forEach((code) => {
	if (/language-/.test(code.className) && window.hljs) window.hljs.highlightElement(code);
	if (!navigator.clipboard) return;
	const button = document.createElement("button");
	button.className = "copy";
	button.textContent = "Copy";
	button.addEventListener("click", async () => {
		await navigator.clipboard.writeText(code.textContent);
		button.textContent = "Copied";
		setTimeout(() => { button.textContent = "Copy"; }, 1500);
	});
	code.parentElement.append(button);
});

const contents = [...document.querySelectorAll(".contents a")];
const headings = contents.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
if (headings.length) {
	const mark = () => {
		const last = headings.filter((heading) => heading.getBoundingClientRect().top < 120).length - 1;
		contents.forEach((link, index) => link.classList.toggle("here", index === last));
	};
	addEventListener("scroll", mark, { passive: true });
	mark();
}

const search = one(".search");
const input = one(".search input");
const results = one(".results");
search.hidden = false;

let loading;
const index = () => loading ??= Promise.all([load("assets/lunr.js"), load("assets/sections.js")]).then(() => {
	const { lunr } = window;
	// rowqueue.worker.lease is found by each of its words
	lunr.tokenizer.separator = /[^\p{L}\p{N}]+/u;
	return lunr((builder) => {
		builder.ref("url");
		builder.field("heading", { boost: 8 });
		builder.field("page", { boost: 4 });
		builder.field("text");
		// of sections that match alike, the one that a reader needs first
		const count = window.rowqueueSections.length;
		window.rowqueueSections.forEach((section, place) => builder.add(section, { boost: 2 - place / count }));
	});
});

const wordsOf = (text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
const stem = (word) => window.lunr.stemmer(new window.lunr.Token(word)).toString();

const find = (engine, text) => {
	const words = wordsOf(text);
	const hits = engine.query((query) => words.forEach((word) => {
		query.term(stem(word), { boost: 10, usePipeline: false });
		query.term(word, { wildcard: window.lunr.Query.wildcard.TRAILING, usePipeline: false });
	}));
	const sections = new Map(window.rowqueueSections.map((section) => [section.url, section]));
	// the library asks for any of the words
	return hits.map((hit) => sections.get(hit.ref)).filter((section) => {
		const all = `${section.page} ${section.heading} ${section.text}`.toLowerCase();
		return words.every((word) => all.includes(word) || all.includes(stem(word)));
	}).slice(0, 10);
};

const excerpt = (section, text) => {
	const word = wordsOf(text)[0] ?? "";
	const place = Math.max(0, section.text.toLowerCase().indexOf(word) - 40);
	return (place ? "… " : "") + section.text.slice(place, place + 140);
};

const show = async () => {
	const text = input.value.trim();
	if (text.length < 2) { results.hidden = true; return; }
	const engine = await index();
	if (text !== input.value.trim()) return;
	const hits = find(engine, text);
	results.replaceChildren(...hits.map((section) => {
		const link = document.createElement("a");
		link.href = root + section.url;
		const title = document.createElement("b");
		title.textContent = section.heading === section.page ? section.page : `${section.page} › ${section.heading}`;
		const words = document.createElement("span");
		words.textContent = excerpt(section, text);
		link.append(title, words);
		return link;
	}));
	if (!hits.length) results.textContent = "Nothing found";
	results.hidden = false;
};
input.addEventListener("focus", index);
input.addEventListener("input", show);

search.addEventListener("keydown", (event) => {
	const links = [...results.querySelectorAll("a")];
	const place = links.indexOf(document.activeElement);
	if (event.key === "Escape") { results.hidden = true; input.focus(); }
	else if (event.key === "ArrowDown" && links.length) { event.preventDefault(); links[Math.min(place + 1, links.length - 1)].focus(); }
	else if (event.key === "ArrowUp" && place >= 0) { event.preventDefault(); (links[place - 1] ?? input).focus(); }
	else if (event.key === "Enter" && place < 0 && links.length) links[0].click();
});
results.addEventListener("click", () => { results.hidden = true; });
document.addEventListener("click", (event) => { if (!search.contains(event.target)) results.hidden = true; });
document.addEventListener("keydown", (event) => {
	if (event.key === "/" && !/input|textarea|select/i.test(document.activeElement.tagName)) { event.preventDefault(); input.focus(); }
});

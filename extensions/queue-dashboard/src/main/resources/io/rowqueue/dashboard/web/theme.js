// Runs before the first paint, so that a chosen theme does not flash. Everything else is a module.
(() => {
	try {
		const { theme } = JSON.parse(localStorage.getItem('rowqueue') ?? '{}');
		const asked = new URLSearchParams(location.search).get('theme');
		document.documentElement.dataset.theme = asked ?? theme ?? 'system';
	}
	catch {
		document.documentElement.dataset.theme = 'system';
	}
})();

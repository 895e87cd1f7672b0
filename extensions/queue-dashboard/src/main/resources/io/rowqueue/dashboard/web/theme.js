// Runs before the first paint, so that a chosen theme does not flash. Everything else is a module.
(() => {
	try {
		const { theme } = JSON.parse(localStorage.getItem('rowqueue') ?? '{}');
		document.documentElement.dataset.theme = theme ?? 'system';
	}
	catch {
		document.documentElement.dataset.theme = 'system';
	}
})();

// loaded before the page is drawn, so that it does not flash
const chosen = (() => { try { return localStorage.getItem("rowqueue-theme"); } catch { return null; } })();
if (chosen) document.documentElement.dataset.theme = chosen;

/** Lays a graph out from left to right: layers by the longest path, the order within them by their neighbours. */

/** @typedef {{ name: string, after: string[] }} Node */
/** @typedef {{ node: any, layer: number, row: number }} Placed */

/** How far each node is from a beginning; a circle, which a flow cannot have, ends the walk. @param {Node[]} nodes */
const depths = (nodes) => {
	const byName = new Map(nodes.map((node) => [node.name, node]));
	/** @type {Map<string, number>} */
	const known = new Map();
	const depth = (/** @type {Node} */ node, /** @type {Set<string>} */ path) => {
		if (!known.has(node.name)) {
			const before = node.after.filter((name) => byName.has(name) && !path.has(name));
			known.set(node.name, Math.max(-1, ...before.map((name) => depth(/** @type {Node} */ (byName.get(name)), new Set([...path, name])))) + 1);
		}
		return /** @type {number} */ (known.get(node.name));
	};
	nodes.forEach((node) => depth(node, new Set([node.name])));
	return known;
};

/** Equal siblings (same type, state and neighbours) as one node. @param {any[]} nodes @param {number} [from] how many siblings are folded */
export const fold = (nodes, from = 6) => {
	const followers = (/** @type {any} */ node) => nodes.filter((other) => other.after.includes(node.name)).map((other) => other.name).sort().join('\n');
	/** @type {Map<string, any[]>} */
	const alike = new Map();
	for (const node of nodes) {
		const key = [node.type, node.state, [...node.after].sort().join('\n'), followers(node)].join('\u0000');
		alike.set(key, [...(alike.get(key) ?? []), node]);
	}
	const groups = [...alike.values()];
	const standsFor = new Map(groups.filter((group) => group.length >= from).flatMap((group) => group.map((node) => [node.name, group[0].name])));
	return groups.flatMap((group) => (group.length >= from ? [{ ...group[0], times: group.length }] : group))
		.map((node) => ({ ...node, after: [...new Set(node.after.map((/** @type {string} */ name) => standsFor.get(name) ?? name))] }));
};

/**
 * An edge over several layers gets a point in each of them, so that no node lies upon it.
 * @param {Node[]} nodes @param {Map<string, number>} depth
 * @returns {Node[]}
 */
const withPoints = (nodes, depth) => {
	/** @type {Node[]} */
	const points = [];
	const routed = nodes.map((node) => ({ ...node, after: node.after.filter((name) => depth.has(name)).map((name) => {
		let previous = name;
		for (let layer = /** @type {number} */ (depth.get(name)) + 1; layer < /** @type {number} */ (depth.get(node.name)); layer++) {
			const point = `${name}\u0000${node.name}\u0000${layer}`;
			points.push(/** @type {any} */ ({ name: point, after: [previous], from: name, to: node }));
			depth.set(point, layer);
			previous = point;
		}
		return previous;
	}) }));
	return [...routed, ...points];
};

/** @param {Node[]} given @returns {Placed[][]} the layers; a node that has `to` is a point of an edge */
export const layers = (given) => {
	const depth = depths(given);
	const nodes = withPoints(given, depth);
	/** @type {Placed[][]} */
	const all = [];
	for (const node of nodes) {
		const layer = /** @type {number} */ (depth.get(node.name));
		(all[layer] ??= []).push({ node, layer, row: all[layer].length });
	}
	const placed = new Map(all.flat().map((each) => [each.node.name, each]));
	const followers = new Map(nodes.map((node) => [node.name, nodes.filter((other) => other.after.includes(node.name)).map((other) => other.name)]));
	const mean = (/** @type {string[]} */ names, /** @type {number} */ otherwise) => {
		const rows = names.flatMap((name) => placed.get(name)?.row ?? []);
		return rows.length ? rows.reduce((sum, row) => sum + row, 0) / rows.length : otherwise;
	};
	const sort = (/** @type {Placed[]} */ layer, /** @type {(each: Placed) => string[]} */ neighbours) => {
		const weights = new Map(layer.map((each) => [each, mean(neighbours(each), each.row)]));
		layer.sort((a, b) => /** @type {number} */ (weights.get(a)) - /** @type {number} */ (weights.get(b)));
		layer.forEach((each, row) => { each.row = row; });
	};
	for (let round = 0; round < 4; round++) {
		all.slice(1).forEach((layer) => sort(layer, (each) => each.node.after));
		all.slice(0, -1).reverse().forEach((layer) => sort(layer, (each) => followers.get(each.node.name) ?? []));
	}
	return all;
};

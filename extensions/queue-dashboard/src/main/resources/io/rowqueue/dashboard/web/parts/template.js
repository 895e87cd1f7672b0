/** A payload to begin with, from its JSON Schema. */

/** @typedef {{ [keyword: string]: any }} Schema */

/** Times and the like have no value that means nothing. @param {Schema} schema */
const emptyText = ({ format }) => (format ? null : '');

/** @param {Schema} schema @param {string} pointer such as `#/$defs/Line` */
const resolve = (schema, pointer) => pointer.split('/').slice(1).reduce((at, key) => at?.[key], schema) ?? {};

/** @param {Schema} whole */
export const templateOf = (whole) => {
	/** @param {Schema} schema @param {string[]} within those that it is a part of @returns {any} */
	const valueOf = (schema, within) => {
		if (schema.$ref) {
			return within.includes(schema.$ref) ? null : valueOf(resolve(whole, schema.$ref), [...within, schema.$ref]);
		}
		const { type, anyOf, allOf } = schema;
		if ('const' in schema || schema.enum) {
			return schema.const ?? schema.enum[0];
		}
		if (anyOf) {
			return valueOf(anyOf[0], within);
		}
		if (allOf) {
			return Object.assign({}, ...allOf.map((/** @type {Schema} */ each) => valueOf(each, within)));
		}
		/** @type {Record<string, unknown>} */
		const empty = { string: emptyText(schema), number: 0, integer: 0, boolean: false, array: [],
			object: type === 'object' && Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, each]) => [name, valueOf(each, within)])) };
		return empty[type] ?? null;
	};
	return JSON.stringify(valueOf(whole, ['#']), null, 2);
};

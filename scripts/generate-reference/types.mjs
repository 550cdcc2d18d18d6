import { anchor, tick } from './markdown.mjs'

const reference = '#/components/schemas/'

// Longer enumerations have their own page or a description.
const mostWords = 12

/** The name of a referenced schema; undefined for an inline schema. */
export function referred(schema) {
  return schema?.$ref?.startsWith(reference) ? schema.$ref.slice(reference.length) : undefined
}

/** A JSON Schema in a few words of Markdown, with links to named shapes. */
export function typeText(schema, link = 'shapes.md') {
  const name = referred(schema)
  if (name) return namedText(name, link)
  if (schema.const !== undefined) return tick(JSON.stringify(schema.const))
  if (schema.enum) return schema.enum.length > mostWords ? 'string' : schema.enum.map(tick).join(', ')
  const branches = schema.anyOf ?? schema.oneOf
  if (branches) return unionText(branches, link)
  if (schema.type === 'array') return `list${lengthText(schema)} of ${typeText(schema.items ?? {}, link)}`
  if (schema.type === 'object') return objectText(schema, link)
  return scalarText(schema)
}

function scalarText(schema) {
  if (schema.contentMediaType === 'application/octet-stream') return 'bytes'
  return schema.type === undefined ? 'any JSON' : `${schema.type}${boundsText(schema)}`
}

function namedText(name, link) {
  if (name === 'JsonValue') return 'any JSON'
  return name.startsWith('Field') && name !== 'FieldChange'
    ? '[Field](field-kinds.md)'
    : `[${name}](${link}#${anchor(name)})`
}

function unionText(branches, link) {
  const texts = branches.map((branch) => (branch.type === 'null' ? tick('null') : typeText(branch, link)))
  return [...new Set(texts)].join(' or ')
}

function objectText({ properties, additionalProperties, propertyNames }, link) {
  if (properties) return 'object'
  if (!additionalProperties || propertyNames?.enum) return 'object'
  return `map of ${typeText(additionalProperties, link)}`
}

function lengthText({ minItems, maxItems }) {
  return rangeText(minItems, maxItems)
}

function boundsText({ type, minLength, maxLength, minimum, maximum, exclusiveMinimum }) {
  if (type === 'string') return rangeText(minLength, maxLength)
  if (exclusiveMinimum !== undefined) return ` (> ${exclusiveMinimum})`
  return rangeText(minimum, maximum)
}

function rangeText(least, most) {
  const low = isTelling(least) ? least : undefined
  const high = isTelling(most) ? most : undefined
  if (low === undefined && high === undefined) return ''
  if (high === undefined) return ` (≥ ${low})`
  return low === undefined ? ` (≤ ${high})` : ` (${low}–${high})`
}

// Limits of JavaScript numbers and dates would not help the reader.
function isTelling(bound) {
  return bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER && bound !== 8_640_000_000_000_000
}

/**
 * Rows of a table of members: name, type, description. The members of a nested object follow it.
 */
export function memberRows(schema, { prefix = '', link = 'shapes.md' } = {}) {
  const required = new Set(schema.required ?? [])
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
    { name: prefix + name, schema: member, isRequired: required.has(name), type: typeText(member, link) },
    ...innerRows(member, { prefix: prefix + name, link }),
  ])
}

function innerRows(schema, { prefix, link }) {
  if (referred(schema)) return []
  if (schema.type === 'array') return innerRows(schema.items ?? {}, { prefix: `${prefix}[]`, link })
  const object = schema.properties
    ? schema
    : (schema.anyOf ?? []).find((branch) => branch.properties && branch.type === 'object')
  return object ? memberRows(object, { prefix: `${prefix}.`, link }) : []
}

/** The default of a member, for the description column. */
function defaultText({ default: value }) {
  if (value === undefined) return ''
  const isEmptyObject = typeof value === 'object' && value !== null && Object.keys(value).length === 0
  return isEmptyObject && !Array.isArray(value) ? '' : `Default: ${tick(JSON.stringify(value))}.`
}

/** Description and default as sentences. */
export function whatText(schema) {
  const description = schema.description === undefined ? '' : sentence(schema.description)
  return [description, defaultText(schema)].filter(Boolean).join(' ')
}

function sentence(text) {
  return /[.!?:]$/.test(text) ? text : `${text}.`
}

import { jsonSchemaProblem, type ScalarField } from '@quire/contract'
import { isJsonObject, type Json } from '../ports/index.ts'
import { matchesPattern } from './pattern.ts'
import { deepestHtml, isTooDeep, sanitizeHtml } from './rich-text.ts'

type Kind = ScalarField['kind']
type FieldOf<K extends Kind> = Extract<ScalarField, { kind: K }>

/** The value to keep, or what is wrong with the one sent. */
export type Checked = { readonly value: Json } | { readonly problem: string }

type Check<K extends Kind> = (value: Json, field: FieldOf<K>) => Checked | Promise<Checked>

const ok = (value: Json): Checked => ({ value })
const no = (problem: string): Checked => ({ problem })

const isoDate = /^\d{4}-\d{2}-\d{2}$/
const colour = /^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i
const slug = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const id = /^[A-Z]{2,8}_[0-9A-Z]{26}$/

/** What each kind takes (DESIGN "Repositories and content types"). Linear in the length of the value. */
const checks: { readonly [K in Kind]: Check<K> } = {
  text: async (value, { settings }) => {
    if (typeof value !== 'string') return no('must be text')
    const { minLength = 0, maxLength = Infinity, options, pattern } = settings
    if (value.length < minLength) return no(`must have at least ${minLength} characters`)
    if (value.length > maxLength) return no(`must have at most ${maxLength} characters`)
    if (options && !options.includes(value)) return no(`must be one of ${options.join(', ')}`)
    if (pattern !== undefined && !(await matchesPattern(pattern, value))) return no(`must match ${pattern}`)
    return ok(value)
  },
  richText: async (value, { settings }) => {
    if (typeof value !== 'string') return no('must be text')
    if (settings.format !== 'html') return ok(value)
    if (isTooDeep(value)) return no(`must not hold elements nested deeper than ${deepestHtml}`)
    return ok(await sanitizeHtml(value))
  },
  number: (value, { settings }) =>
    typeof value === 'number' ? within(value, settings) : no('must be a number'),
  integer: (value, { settings }) =>
    Number.isSafeInteger(value) ? within(Number(value), settings) : no('must be an integer'),
  boolean: (value) => (typeof value === 'boolean' ? ok(value) : no('must be true or false')),
  date: (value, { settings: { min = '', max = '9999-12-31' } }) => {
    if (typeof value !== 'string' || !isDay(value)) return no('must be a day, YYYY-MM-DD')
    return value >= min && value <= max ? ok(value) : no(`must be a day from ${min} to ${max}`)
  },
  datetime: (value, { settings }) =>
    Number.isSafeInteger(value) ? within(Number(value), settings) : no('must be Unix milliseconds'),
  reference: checkId,
  asset: checkId,
  category: checkId,
  url: (value) =>
    typeof value === 'string' && isWebAddress(value) ? ok(value) : no('must be an http or https address'),
  email: (value) =>
    typeof value === 'string' && isEmail(value) ? ok(value) : no('must be an e-mail address'),
  slug: (value) =>
    typeof value === 'string' && value.length <= 500 && slug.test(value)
      ? ok(value)
      : no('must be a-z, 0-9 and single dashes'),
  color: (value) =>
    typeof value === 'string' && colour.test(value) ? ok(value) : no('must be a colour like #1a2b3c'),
  geo: checkPlace,
  json: (value, { settings }) => {
    const problem = settings.schema && jsonSchemaProblem(settings.schema, value)
    return problem ? no(problem) : ok(value)
  },
}

/** Checks one value against a field without fields of its own. */
export async function checkScalar(field: ScalarField, value: Json): Promise<Checked> {
  // The table has an entry of the field's own kind: the one place where a mapped type meets a union.
  const check = checks[field.kind] as Check<Kind>
  return check(value, field)
}

function within(
  value: number,
  { min, max, step }: { min?: number | undefined; max?: number | undefined; step?: number | undefined },
): Checked {
  if (min !== undefined && value < min) return no(`must be at least ${min}`)
  if (max !== undefined && value > max) return no(`must be at most ${max}`)
  if (step !== undefined && !isMultiple(value, step)) return no(`must be a multiple of ${step}`)
  return ok(value)
}

// Decimal steps are not exact in binary (0.3 / 0.1): a quotient within rounding of an integer counts.
function isMultiple(value: number, step: number): boolean {
  const quotient = value / step
  return Math.abs(quotient - Math.round(quotient)) <= Number.EPSILON * Math.max(1, Math.abs(quotient)) * 4
}

function isDay(text: string): boolean {
  if (!isoDate.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

function checkId(value: Json): Checked {
  return typeof value === 'string' && id.test(value) ? ok(value) : no('must be an id')
}

function isWebAddress(text: string): boolean {
  if (text.length > 2048 || !URL.canParse(text)) return false
  const { protocol } = new URL(text)
  return protocol === 'http:' || protocol === 'https:'
}

// Linear: one @, something before it, a dot within what follows, no blanks (RFC 5321 lengths).
function isEmail(text: string): boolean {
  const at = text.indexOf('@')
  const domain = text.slice(at + 1)
  if (at < 1 || at > 64 || text.length > 254 || domain.includes('@') || /\s/.test(text)) return false
  return domain.includes('.') && !domain.startsWith('.') && !domain.endsWith('.')
}

function checkPlace(value: Json): Checked {
  if (!isJsonObject(value)) return no('must be { lat, lng }')
  const { lat, lng, ...others } = value
  const inside = (degrees: Json | undefined, limit: number) =>
    typeof degrees === 'number' && Math.abs(degrees) <= limit
  if (!inside(lat, 90) || !inside(lng, 180) || Object.keys(others).length > 0) {
    return no('must be { lat, lng } in degrees: lat -90 to 90, lng -180 to 180')
  }
  return ok(value)
}

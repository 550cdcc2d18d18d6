import { administrator } from '../server/api-access.ts'
import { hintsFor, type Making } from './hints.ts'
import { filterPairs } from './list-queries.ts'
import type { FuzzParameter, JsonSchema } from './operations.ts'
import { valueOf, wordOf, type ValueContext } from './schema-values.ts'

/** A request in parts, before it is bytes. */
export interface Draft {
  method: string
  /** `/api/items/{configId}`. */
  readonly template: string
  /** Path members as text, not yet encoded. */
  readonly params: Map<string, string>
  /** Name and text, not yet encoded, in order. */
  readonly query: [string, string][]
  readonly headers: Map<string, string>
  /** A value, sent as JSON or as a form; undefined: no body. */
  body: unknown
  /** Bytes in place of the body. */
  rawBody?: Buffer
  readonly isForm: boolean
}

/** A request that should be answered with success, as far as the document and the pool tell. */
export function draftOf(making: Making, token: string): Draft {
  const { operation, random, pool } = making
  const hint = hintsFor(making)
  const context: ValueContext = { random, hint, name: '', depth: 0 }
  const draft: Draft = {
    method: operation.method,
    template: operation.path,
    params: new Map(),
    query: [],
    headers: new Map([['authorization', `Bearer ${token}`]]),
    body: undefined,
    isForm: operation.body?.mediaType === 'application/x-www-form-urlencoded',
  }
  for (const parameter of operation.parameters) addParameter(draft, parameter, { making, context })
  if (operation.body)
    draft.body = { ...valuesOf(operation.body.schema, context), ...(draft.isForm && credentials) }
  if (operation.id.startsWith('items.update') && random.chance(0.3)) {
    const tag = pool.tags.pick(random)
    if (tag !== undefined) draft.headers.set('if-match', tag)
  }
  return draft
}

const credentials = {
  grant_type: 'client_credentials',
  client_id: administrator.id,
  client_secret: administrator.secret,
}

function valuesOf(schema: JsonSchema, context: ValueContext): object {
  const value = valueOf(schema, context)
  return typeof value === 'object' && value !== null ? value : {}
}

function addParameter(
  draft: Draft,
  parameter: FuzzParameter,
  { making, context }: { making: Making; context: ValueContext },
): void {
  const { random, pool } = making
  const { name, schema, required } = parameter
  if (parameter.in === 'header') {
    if (random.chance(0.15)) draft.headers.set(name.toLowerCase(), headerText(name, making))
    return
  }
  if (parameter.in === 'query' && !required && !random.chance(0.25)) return
  if (name === 'filter') return void draft.query.push(...filterPairs(random, pool))
  const value = valueOf(schema, { ...context, name, depth: 1 })
  const text = Array.isArray(value) ? value.join(',') : String(value)
  if (parameter.in === 'path') draft.params.set(name, text)
  else draft.query.push([name, text])
}

function headerText(name: string, { random, pool }: Making): string {
  if (name === 'Idempotency-Key')
    return random.chance(0.3) ? (pool.keys.pick(random) ?? 'k') : newKey(random, pool)
  return pool.tags.pick(random) ?? '*'
}

function newKey(random: Making['random'], pool: Making['pool']): string {
  const key = `key ${wordOf(random)}`.replaceAll(/[^ -~]/g, '.')
  pool.keys.add(key)
  return key
}

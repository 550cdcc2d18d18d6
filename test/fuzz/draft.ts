import { createHmac } from 'node:crypto'
import { administrator } from '../server/api-access.ts'
import type { SentFile } from './files.ts'
import { parameterPairs } from './finding-hints.ts'
import { headerText } from './header-texts.ts'
import type { Making } from './hinting.ts'
import { hintsFor } from './hints.ts'
import { filterPairs } from './list-queries.ts'
import { toJson } from './json-text.ts'
import { resolve, type FuzzOperation, type FuzzParameter, type JsonSchema } from './operations.ts'
import { callbackSecrets } from './prepare-reviews.ts'
import type { Random } from './random.ts'
import { valueOf, type ValueContext } from './schema-values.ts'

/** A request in parts, before it is encoded. */
export interface Draft {
  readonly operation: FuzzOperation
  method: string
  /** `/api/items/{configId}`. */
  readonly template: string
  /** Path parameters, not yet encoded. */
  readonly params: Map<string, string>
  /** Names and texts, not yet encoded, in order. */
  readonly query: [string, string][]
  readonly headers: Map<string, string>
  readonly form: DraftForm
  /**
   * A value that is sent as JSON, as a form, or as the part `data`. Undefined: no body, or only a
   * file.
   */
  body: unknown
  /** Sent as the part `file`, or as the body. */
  file?: SentFile
  /** Bytes that replace the body. */
  rawBody?: Buffer
  /** A wrong Content-Length. */
  givenLength?: 'half' | 'more'
  /** The sender disconnects without reading an answer. */
  isLeft?: boolean
}

/** How a body is encoded. */
export type DraftForm = 'json' | 'form' | 'multipart' | 'file' | 'tus'

/** Spoils a request. */
export type Mutation = (draft: Draft, random: Random) => void

/** A request that should succeed, as far as the OpenAPI document and the pool tell. */
export function draftOf(making: Making, token: string): Draft {
  const { operation, random, sending } = making
  const context: ValueContext = { random, hint: hintsFor(making), name: '', depth: 0 }
  const draft: Draft = {
    operation,
    method: methodOf(making),
    template: operation.path,
    params: new Map(),
    query: [],
    headers: new Map([['authorization', `Bearer ${token}`]]),
    form: formOf(making),
    body: bodyOf(making, context),
  }
  if (sending.file && sending.part) draft.file = { ...sending.file, bytes: sending.part }
  for (const parameter of operation.parameters) addParameter(draft, parameter, { making, context })
  addTag(draft, making)
  if (operation.endpoint.body === 'signed') prove(draft, random)
  if (random.chance(0.05)) draft.headers.set('connection', 'close')
  return draft
}

/** Bytes are sometimes requested with HEAD. */
function methodOf({ operation: { method, endpoint }, random }: Making): string {
  return method === 'GET' && endpoint.answer === 'bytes' && random.chance(0.1) ? 'HEAD' : method
}

function formOf({ operation: { endpoint }, sending }: Making): DraftForm {
  if (endpoint.body === 'ids' || endpoint.body === 'signed') return 'json'
  if (endpoint.body === 'message') return 'file'
  if (endpoint.body === 'jsonOrMultipart') return sending.file ? 'multipart' : 'json'
  return endpoint.body
}

const credentials = {
  grant_type: 'client_credentials',
  client_id: administrator.id,
  client_secret: administrator.secret,
}

function bodyOf({ operation, random }: Making, context: ValueContext): unknown {
  const { body, endpoint } = operation
  if (!body || ['file', 'tus', 'message'].includes(endpoint.body)) return undefined
  if (endpoint.body === 'ids') return valueOf(body.schema, { ...context, name: 'ids', depth: 1 })
  if (endpoint.body === 'form') return { ...valuesOf(body.schema, context), ...credentials }
  if (endpoint.body !== 'multipart') return valuesOf(body.schema, context)
  const values = valuesOf(body.schema.properties?.['data'] ?? {}, context)
  // Without a type, it is guessed from the file, and the fuzz creates more and more types for
  // files.
  return random.chance(0.6) ? { ...values, type: context.hint('type', 1) } : values
}

function valuesOf(schema: JsonSchema, context: ValueContext): object {
  const value = valueOf(resolve<JsonSchema>(schema), context)
  return typeof value === 'object' && value !== null ? value : {}
}

function addTag(draft: Draft, { operation, random, pool }: Making): void {
  if (!operation.id.startsWith('items.update') || !random.chance(0.3)) return
  const tag = pool.tags.pick(random)
  if (tag !== undefined) draft.headers.set('if-match', tag)
}

/**
 * Authenticates with the key of the prepared connection, or with a signature. Later mutations make
 * the signature wrong.
 */
function prove({ headers, body }: Draft, random: Random): void {
  const { apiKey, signingSecret } = callbackSecrets
  if (random.chance(0.6)) return void headers.set('x-api-key', apiKey)
  const at = Math.floor(Date.now() / 1000)
  const mac = createHmac('sha256', signingSecret)
    .update(`${at}.${toJson(body)}`)
    .digest('hex')
  headers.set('x-webhook-signature', `t=${at},v1=${mac}`)
}

function addParameter(
  draft: Draft,
  parameter: FuzzParameter,
  { making, context }: { making: Making; context: ValueContext },
): void {
  const { random } = making
  const { name, schema, required } = parameter
  if (parameter.in === 'header') {
    const isGiven = required || random.chance(name === 'Range' ? 0.4 : 0.15)
    const text = isGiven ? headerText(name, making) : undefined
    if (text !== undefined) draft.headers.set(name.toLowerCase(), text)
    return
  }
  if (parameter.in === 'query' && !required && !random.chance(0.25)) return
  const pairs = pairsOf(name, making)
  if (pairs) return void draft.query.push(...pairs)
  const value = valueOf(schema, { ...context, name, depth: 1 })
  const text = Array.isArray(value) ? value.join(',') : String(value)
  if (parameter.in === 'path') draft.params.set(name, text)
  else draft.query.push([name, text])
}

/**
 * The pairs of parameters with names inside, such as filters; undefined for all other parameters.
 */
function pairsOf(name: string, { random, pool }: Making): [string, string][] | undefined {
  if (name === 'filter') return filterPairs(random, pool)
  return name === 'parameters' ? parameterPairs(random) : undefined
}

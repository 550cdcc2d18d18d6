import {
  type Contract,
  type OutputOf,
  type ParsedOf,
  type QueryAnswer,
  type SavedQuery,
  limits,
  parseAs,
  Query,
  splitList,
  type Issue,
  type QueryParameter,
} from '@quire/contract'
import { runQuery, answerQuery, scopeToQuery } from './run.ts'
import type { Answer, Serialized } from '../../engine/answer.ts'
import { inContext, requirePermission, type Call } from '../../engine/call.ts'
import { openLocales } from '../../engine/locales.ts'
import { entryInRepository, recordsOf, plainRecord, sentMembers } from '../../engine/record-rules.ts'
import { findRepository } from '../../engine/scope.ts'
import { invalid } from '../../engine/check-input.ts'
import { isJsonObject, type Json, type Stored } from '../../ports/index.ts'

/** The operations that run queries. */
export const queries = { run: runQuery, runSaved }

/** The operations on saved queries. */
export const savedQueries = {
  list: listQueries,
  get: getQuery,
  create: createQuery,
  update: updateQuery,
  delete: deleteQuery,
}

type Group = Contract['savedQueries']

const records = recordsOf({
  kind: 'savedQuery',
  called: 'saved query',
  events: { created: 'QUERY_CREATED', updated: 'QUERY_UPDATED', deleted: 'QUERY_DELETED' },
  entry: entryInRepository<SavedQuery>('savedQuery'),
})

/** Lists the saved queries of a repository. Errors: `not_found`, `forbidden`. */
async function listQueries(
  call: Call,
  { configId, ...page }: ParsedOf<Group['list']>,
): Promise<OutputOf<Group['list']>> {
  const repositoryId = await requireRepository(call, 'queries.run', configId)
  const all = await call.store.records.list('savedQuery')
  return records.page(
    all.filter((query) => query.repositoryId === repositoryId),
    page,
  )
}

/** Reads a saved query. Errors: `not_found`, `forbidden`. */
async function getQuery(call: Call, input: ParsedOf<Group['get']>): Promise<Serialized<SavedQuery>> {
  const repositoryId = await requireRepository(call, 'queries.run', input.configId)
  return records.serialize(await findQuery(call, repositoryId, input.name))
}

/**
 * Saves a query under a name. Errors: `not_found`, `forbidden`, `name_taken`; `invalid` for a query
 * that nobody could run.
 */
async function createQuery(
  call: Call,
  { configId, ...given }: ParsedOf<Group['create']>,
): Promise<Serialized<SavedQuery>> {
  requireValidTemplate(given)
  return call.write(async (call) => {
    const repositoryId = await requireRepository(call, 'queries.save', configId)
    const { ref } = call.identity
    const after = {
      id: call.environment.ids.next('QURY'),
      repositoryId,
      ...given,
      createdDate: call.now,
      updatedDate: call.now,
      createdByUser: ref,
      updatedByUser: ref,
    }
    return records.serialize(await records.put(call, { before: null, after }))
  })
}

/**
 * Updates the members that are sent. Errors: `not_found`, `forbidden`, `precondition_failed`,
 * `invalid`.
 */
async function updateQuery(
  call: Call,
  { configId, name, ...patch }: ParsedOf<Group['update']>,
): Promise<Serialized<SavedQuery>> {
  return call.write(async (call) => {
    const repositoryId = await requireRepository(call, 'queries.save', configId)
    const before = await findQuery(call, repositoryId, name)
    const after = {
      ...plainRecord(before),
      ...sentMembers(patch),
      updatedDate: call.now,
      updatedByUser: call.identity.ref,
    }
    requireValidTemplate(after)
    return records.serialize(await records.put(call, { before, after }))
  })
}

/** Deletes a saved query. Errors: `not_found`, `forbidden`, `precondition_failed`. */
async function deleteQuery(call: Call, input: ParsedOf<Group['delete']>): Promise<undefined> {
  return call.write(async (call) => {
    const repositoryId = await requireRepository(call, 'queries.save', input.configId)
    return records.remove(call, await findQuery(call, repositoryId, input.name))
  })
}

/**
 * Runs a saved query as the caller, whoever saved it: in the caller's locale, or else in its own.
 * Errors: `not_found`, `forbidden`; `invalid` naming parameters that are unknown, missing or of the
 * wrong kind, and fields that do not exist or that the caller may not read.
 */
async function runSaved(
  call: Call,
  { configId, packageName, name, parameters = {}, limit, cursor }: ParsedOf<Contract['queries']['runSaved']>,
): Promise<Answer<QueryAnswer>> {
  const scope = await scopeToQuery(call, { configId, packageName })
  const saved = await findQuery(call, scope.repository.id, name)
  const query = filledQuery(saved, parameters)
  const { localeChoice = {} } = call
  const located = inContext(call, { ...(localeChoice.locale !== '*' && query), ...localeChoice })
  openLocales(located, scope.repository)
  return answerQuery(located, scope, { ...query, limit: limit ?? query.limit, cursor })
}

async function requireRepository(
  call: Call,
  key: 'queries.run' | 'queries.save',
  configId: string,
): Promise<string> {
  const { id: repositoryId } = await findRepository(call, configId)
  requirePermission(call, key, { repositoryId })
  return repositoryId
}

async function findQuery(call: Call, repositoryId: string, name: string): Promise<Stored<'savedQuery'>> {
  const found = await call.store.records.find('savedQuery', `name:${repositoryId}/${name}`)
  return records.matched(call, found, name)
}

/** A query with placeholders, and the parameters that fill them. */
export type Template = Pick<SavedQuery, 'query' | 'parameters'>

/** The values of parameters by name. Parameters without a value are absent. */
type Values = ReadonlyMap<string, Json>

/**
 * Fills the placeholders of a template with values. Leaves out placeholders without a value, and
 * also objects and lists that become empty because of that.
 * Errors: `invalid` naming parameters that are unknown, missing or of the wrong kind, and invalid
 * parts of the query.
 */
export function filledQuery(template: Template, given: Readonly<Record<string, string>>): Query {
  const { values, issues } = valuesOf(template.parameters, given)
  if (issues.length > 0) throw invalid(issues)
  return parsedQuery(fill(template.query, values))
}

/**
 * Errors: `invalid` for a template that could not run: a placeholder has no parameter, or the
 * result is not a valid query.
 */
export function requireValidTemplate({ query, parameters }: Template): void {
  const issues = [
    ...(JSON.stringify(query).length > limits.queryText
      ? [{ path: 'query', message: `is longer than ${limits.queryText} characters` }]
      : []),
    ...parameters.flatMap(parameterIssues),
    ...placeholderIssues(query, new Set(parameters.map(({ name }) => name)), 'query'),
  ]
  if (issues.length > 0) throw invalid(issues)
  parsedQuery(fill(query, new Map(parameters.map(({ name, kind }) => [name, samples[kind]]))))
}

/** A sample value of each kind, to check that its placeholders are in valid positions. */
const samples: { readonly [K in QueryParameter['kind']]: Json } = {
  text: 'a',
  number: 1,
  boolean: true,
  list: ['a'],
}

function parsedQuery(filled: Json | undefined): Query {
  const parsed = parseAs(Query, filled ?? {})
  if ('value' in parsed) return parsed.value
  throw invalid(
    parsed.issues.map(({ path, message }) => ({ path: path === '' ? 'query' : `query.${path}`, message })),
  )
}

const placeholder = '$param'

function isPlaceholder(value: Json): value is { readonly [placeholder]: Json } {
  return isJsonObject(value) && Object.hasOwn(value, placeholder)
}

/**
 * The parameter that a placeholder names. Empty, which no parameter is called, if the placeholder
 * is malformed.
 */
function nameIn(value: { readonly [placeholder]: Json }): string {
  const name = value[placeholder]
  return typeof name === 'string' && Object.keys(value).length === 1 ? name : ''
}

/** Replaces the placeholders in a JSON value. Returns undefined if nothing is left of it. */
function fill(value: Json, values: Values): Json | undefined {
  if (isPlaceholder(value)) return values.get(nameIn(value))
  if (Array.isArray(value)) {
    const all = value.map((entry: Json) => fill(entry, values))
    const filled = all.filter((entry) => entry !== undefined)
    return filled.length === 0 && value.length > 0 ? undefined : filled
  }
  if (!isJsonObject(value)) return value
  const all = Object.entries(value)
  const filled = all.flatMap(([name, member]) => {
    const one = fill(member, values)
    return one === undefined ? [] : [[name, one] as const]
  })
  return filled.length === 0 && all.length > 0 ? undefined : Object.fromEntries(filled)
}

function placeholderIssues(value: Json, known: ReadonlySet<string>, path: string): Issue[] {
  if (isPlaceholder(value)) {
    const name = nameIn(value)
    if (name === '') return [{ path, message: `must be { "${placeholder}": name } without other members` }]
    return known.has(name) ? [] : [{ path, message: `"${name}" is not a parameter of this query` }]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries<Json>(value).flatMap(([name, member]) =>
    placeholderIssues(member, known, `${path}.${name}`),
  )
}

function parameterIssues(
  { name, kind, default: value }: QueryParameter,
  index: number,
  all: readonly QueryParameter[],
): Issue[] {
  const isRepeated = all.findIndex((other) => other.name === name) < index
  return [
    ...(isRepeated ? [{ path: `parameters.${index}.name`, message: `"${name}" is used twice` }] : []),
    ...(value === null || kindOf(value) === kind
      ? []
      : [{ path: `parameters.${index}.default`, message: `must be ${kindWords[kind]}` }]),
  ]
}

function kindOf(value: NonNullable<QueryParameter['default']>): QueryParameter['kind'] {
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') return 'number'
  return typeof value === 'boolean' ? 'boolean' : 'list'
}

const kindWords: { readonly [K in QueryParameter['kind']]: string } = {
  text: 'text',
  number: 'a number',
  boolean: 'true or false',
  list: 'a list of texts',
}

function valuesOf(
  parameters: readonly QueryParameter[],
  given: Readonly<Record<string, string>>,
): { values: Values; issues: Issue[] } {
  const known = new Set(parameters.map(({ name }) => name))
  const unknown = Object.keys(given).filter((name) => !known.has(name))
  const issues = unknown.map((name) => ({
    path: `parameters.${name}`,
    message: 'is not a parameter of this query',
  }))
  const values = new Map<string, Json>()
  for (const parameter of parameters) {
    const { name, required } = parameter
    const text = Object.hasOwn(given, name) ? given[name] : undefined
    if (text === undefined && required) issues.push({ path: `parameters.${name}`, message: 'is required' })
    const value = text === undefined ? parameter.default : valueOf(parameter, text)
    if (value === undefined)
      issues.push({ path: `parameters.${name}`, message: `must be ${kindWords[parameter.kind]}` })
    else if (value !== null) values.set(name, value)
  }
  return { values, issues }
}

function valueOf({ kind }: QueryParameter, text: string): Json | undefined {
  if (kind === 'text') return text
  if (kind === 'list') return splitList(text)
  if (kind === 'number') return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(text) ? Number(text) : undefined
  return text === 'true' || text === 'false' ? text === 'true' : undefined
}

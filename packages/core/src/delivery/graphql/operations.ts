import type { Contract, GraphqlResult, OutputOf, ParsedOf } from '@quire/contract'
import { sourceAtHand } from '../../files/assets/stored-bytes.ts'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { ServedBytes } from '../../engine/served-bytes.ts'
import { loadOnce } from './names.ts'

type Graphql = Contract['graphql']

// Loaded on first use, so that a process that never uses GraphQL does not pay for it.
const loadExecute = loadOnce(() => import('./execute.ts'))

/** Executes a document. Errors: `not_found`, `forbidden`, `unauthorized`. */
export async function execute(call: Call, input: ParsedOf<Graphql['execute']>): Promise<GraphqlResult> {
  const { executeGraphql } = await loadExecute()
  return executeGraphql(call, { ...input, isReadOnly: false })
}

/**
 * Executes a read-only document. Errors: those of `execute`; `method_not_allowed` for a mutation;
 * `invalid` for variables that are not a JSON object.
 */
export async function query(call: Call, input: ParsedOf<Graphql['query']>): Promise<GraphqlResult> {
  const { executeGraphql } = await loadExecute()
  return executeGraphql(call, { ...input, variables: variablesOf(input.variables), isReadOnly: true })
}

function variablesOf(text: string | undefined): Record<string, unknown> {
  if (text === undefined || text === '') return {}
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw invalid([{ path: 'variables', message: 'must be a JSON object' }])
}

/** The schema in GraphQL's schema definition language. Errors: `not_found`, `forbidden`. */
export async function schema(
  call: Call,
  { configId }: ParsedOf<Graphql['schema']>,
): Promise<ServedBytes & OutputOf<Graphql['schema']>> {
  const { schemaText } = await loadExecute()
  const bytes = new TextEncoder().encode(await schemaText(call, configId))
  return new ServedBytes({
    ...(await sourceAtHand(bytes)),
    mimeType: 'text/plain; charset=utf-8',
    fileName: 'schema.graphql',
    disposition: 'inline',
    isImmutable: false,
    isNegotiated: false,
  })
}

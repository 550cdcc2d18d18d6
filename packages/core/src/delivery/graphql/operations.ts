import type { Contract, GraphqlResult, OutputOf, ParsedOf } from '@quire/contract'
import { sourceAtHand } from '../../files/assets/stored-bytes.ts'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { ServedBytes } from '../../engine/served-bytes.ts'
import { lazily } from './names.ts'

type Graphql = Contract['graphql']

// Loaded with the first: a start that asks no graph pays nothing for it.
const executing = lazily(() => import('./execute.ts'))

/** Executes a document. Errors: `not_found`, `forbidden`, `unauthorized`. */
export async function execute(call: Call, input: ParsedOf<Graphql['execute']>): Promise<GraphqlResult> {
  const { executeGraphql } = await executing()
  return executeGraphql(call, { ...input, isReadOnly: false })
}

/** Executes a document that changes nothing. Errors: as `execute`; `invalid` for variables that are no JSON object. */
export async function query(call: Call, input: ParsedOf<Graphql['query']>): Promise<GraphqlResult> {
  const { executeGraphql } = await executing()
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
  throw invalid([{ path: 'variables', message: 'is an object of JSON' }])
}

/** The schema in its definition language. Errors: `not_found`, `forbidden`. */
export async function schema(
  call: Call,
  { configId }: ParsedOf<Graphql['schema']>,
): Promise<ServedBytes & OutputOf<Graphql['schema']>> {
  const { schemaText } = await executing()
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

import type { Api, InputOf, Contract } from '@quire/contract'
import { configId } from './load.ts'

/** A query without its repository. */
export type Question = Omit<InputOf<Contract['queries']['run']>, 'configId'>

/**
 * Runs a query and formats the answer as lines: the number of hits, the best hits with their
 * highlights, and the facets.
 */
export async function answerLines(quire: Api, question: Question): Promise<string[]> {
  const { count, countIsCapped, items, highlights, facets } = await quire.queries.run({
    configId,
    limit: 5,
    highlight: true,
    ...question,
  })
  return [
    `${question.text ?? 'everything'}: ${countIsCapped ? 'more than ' : ''}${count}`,
    ...items.map(({ id, name }) => `  ${name}  ${matched(highlights?.[id] ?? [])}`),
    ...Object.entries(facets ?? {}).map(([name, values]) => `  by ${name}: ${facetText(values)}`),
  ]
}

function matched(highlights: readonly { path: string; fragments: readonly string[] }[]): string {
  const fragments = highlights.flatMap((highlight) => highlight.fragments)
  return fragments.slice(0, 2).join(' … ').replaceAll('<mark>', '[').replaceAll('</mark>', ']')
}

function facetText(values: readonly { value: unknown; name?: string | undefined; count: number }[]): string {
  return values.map(({ value, name, count }) => `${name ?? String(value)} ${count}`).join(', ')
}

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median, type Figure } from './compare.ts'
import type { Effort } from './http-lines.ts'

/** Time and memory of the schema of 200 content types, each time in a new process. */
export async function schemaLines({ rounds }: Effort): Promise<Figure[]> {
  const script = fileURLToPath(new URL('./schema-start.ts', import.meta.url))
  const options = ['--conditions=quire-source', '--expose-gc', script]
  const built = Array.from({ length: rounds }, (): SchemaCost =>
    JSON.parse(execFileSync(process.execPath, options, { encoding: 'utf8' })),
  )
  const spread = (values: readonly number[]) => {
    return { value: median(values), min: Math.min(...values), max: Math.max(...values) }
  }
  return [
    {
      what: 'GraphQL schema of 200 content types',
      ...spread(built.map(({ ms }) => ms)),
      unit: 'ms',
      target: 500,
      bound: 'atMost',
      detail: 'built, validated and queried once, 10 fields per type, in a new process',
    },
    {
      what: 'GraphQL schema of 200 content types: memory',
      ...spread(built.map(({ mb }) => mb)),
      unit: 'MB',
      target: 50,
      bound: 'atMost',
      detail: 'heap and external memory after a garbage collection, above the level before',
    },
  ]
}

/** The JSON that the script prints. */
export interface SchemaCost {
  readonly ms: number
  readonly mb: number
}

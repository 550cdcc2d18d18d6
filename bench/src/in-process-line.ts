import { cpSync } from 'node:fs'
import Database from 'better-sqlite3'
import { editor, openEngine } from './account.ts'
import { scatteredSlugs } from './articles.ts'
import { median, ratioLine, sendSound, type Figure } from './compare.ts'
import { readLoad, type Effort } from './http-lines.ts'
import { startQuire, stopServer } from './servers.ts'

/**
 * A read in process: how many times faster it is than the same call over HTTP, by an account with
 * the same permissions, and how it compares with the least that a program can do to get the same
 * object from SQLite.
 */
export async function inProcessLines(
  { quire: data, bare }: { quire: string; bare: string },
  effort: Effort,
): Promise<Figure[]> {
  const copy = `${data}-in-process`
  cpSync(data, copy, { recursive: true })
  const quire = await openEngine(copy)
  const principal = { kind: 'service', id: await editor(quire) } as const
  const { items } = quire.as(principal)
  const slugs = scatteredSlugs(effort.items, 5000)
  const server = await startQuire(data)
  const database = new Database(bare, { readonly: true })
  const statement = database.prepare<[string], string>('SELECT body FROM items WHERE slug = ?').pluck()
  const asValue = (slug: string) => items.getBySlug({ configId: 'bench', slug })
  const asText = (slug: string) =>
    quire.run({ group: 'items', operation: 'getBySlug', principal, input: { configId: 'bench', slug } })
  const parsed = async (slug: string): Promise<unknown> => JSON.parse(statement.get(slug) ?? '')
  try {
    const rounds: Rates[] = []
    for (let round = 0; round <= effort.rounds; round++) {
      const { rate: http } = await sendSound(readLoad(server, '/api/items/bench/slug', effort))
      const value = await rateOf(asValue, slugs, effort.durationMs)
      const least = await rateOf(parsed, slugs, effort.durationMs)
      rounds.push({ http, value, least, text: await rateOf(asText, slugs, effort.durationMs) })
    }
    // The first round is the warm-up.
    return figuresOf(rounds.slice(1))
  } finally {
    database.close()
    await stopServer(server)
    await quire.close()
  }
}

/** Reads per second of each kind. */
type Rates = Readonly<Record<'http' | 'value' | 'text' | 'least', number>>

function figuresOf(rounds: readonly Rates[]): Figure[] {
  const rate = (of: keyof Rates) => Math.round(median(rounds.map((round) => round[of])))
  return [
    ratioLine(
      'read in process, relative to HTTP',
      rounds.map(({ http, value }) => value / http),
      {
        target: 5,
        bound: 'atLeast',
        detail: `${rate('value')}/s as a value, ${rate('text')}/s as the stored text, ${rate('http')}/s over HTTP`,
      },
    ),
    ratioLine(
      'read of 3 KB as an object in process, relative to prepare().get() and JSON.parse',
      rounds.map(({ value, least }) => value / least),
      {
        target: 0.7,
        bound: 'atLeast',
        detail: `${rate('value')}/s of ${rate('least')}/s, in the same process`,
      },
    ),
  ]
}

async function rateOf(
  read: (slug: string) => Promise<unknown>,
  slugs: readonly string[],
  durationMs: number,
): Promise<number> {
  const started = performance.now()
  let done = 0
  while (performance.now() - started < durationMs) {
    for (const slug of slugs.slice(done % slugs.length, (done % slugs.length) + 100)) await read(slug)
    done += 100
  }
  return (done / (performance.now() - started)) * 1000
}

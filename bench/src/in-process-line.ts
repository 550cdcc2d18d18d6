import { cpSync } from 'node:fs'
import { editor, openEngine } from './account.ts'
import { scatteredSlugs } from './articles.ts'
import { median, ratioLine, sendSound, type Figure } from './compare.ts'
import { readLoad, type Effort } from './http-lines.ts'
import { startQuire, stopServer } from './servers.ts'

/**
 * How many times faster a read is in process than over HTTP: the same call, by an account with the
 * same permissions, answered as a value.
 */
export async function inProcessLine(data: string, effort: Effort): Promise<Figure> {
  const copy = `${data}-in-process`
  cpSync(data, copy, { recursive: true })
  const quire = await openEngine(copy)
  const principal = { kind: 'service', id: await editor(quire) } as const
  const { items } = quire.as(principal)
  const slugs = scatteredSlugs(effort.items, 5000)
  const server = await startQuire(data)
  const asValue = (slug: string) => items.getBySlug({ configId: 'bench', slug })
  const asText = (slug: string) =>
    quire.run({ group: 'items', operation: 'getBySlug', principal, input: { configId: 'bench', slug } })
  try {
    const rounds: { http: number; value: number; text: number }[] = []
    for (let round = 0; round <= effort.rounds; round++) {
      const { rate: http } = await sendSound(readLoad(server, '/api/items/bench/slug', effort))
      const value = await rateOf(asValue, slugs, effort.durationMs)
      rounds.push({ http, value, text: await rateOf(asText, slugs, effort.durationMs) })
    }
    // The first round is the warm-up.
    return figureOf(rounds.slice(1))
  } finally {
    await stopServer(server)
    await quire.close()
  }
}

function figureOf(rounds: readonly { http: number; value: number; text: number }[]): Figure {
  const rate = (of: 'http' | 'value' | 'text') => Math.round(median(rounds.map((round) => round[of])))
  const detail = `${rate('value')}/s as a value, ${rate('text')}/s as the stored text, ${rate('http')}/s over HTTP`
  return ratioLine(
    'read in process, relative to HTTP',
    rounds.map(({ http, value }) => value / http),
    { target: 5, bound: 'atLeast', detail },
  )
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

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Api } from '@quire/contract'
import { createQuire, systemIdentity, type Quire } from '@quire/core'
import { openSqliteStore } from '@quire/store-sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answerLines } from './ask.ts'
import { readEntries, type Entry } from './dictionary.ts'
import { configId, loadDictionary } from './load.ts'

const folder = mkdtempSync(join(tmpdir(), 'quire-search-'))
const entries = readEntries(10_000)
let engine: Quire
let quire: Api

beforeAll(async () => {
  engine = createQuire({ store: await openSqliteStore({ file: join(folder, 'dictionary.db') }) })
  quire = engine.as(systemIdentity('test'))
  await loadDictionary(quire, entries)
}, 120_000)

afterAll(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
})

/** The names of all hits, page by page. */
async function namesFor(text: string): Promise<Set<string>> {
  const names = new Set<string>()
  let cursor: string | undefined
  do {
    const page = await quire.queries.run({
      configId,
      text,
      limit: 1000,
      ...(cursor !== undefined && { cursor }),
    })
    for (const { name } of page.items) names.add(name ?? '')
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return names
}

const named = (test: (entry: Entry) => boolean) =>
  new Set(entries.filter(test).map(({ simplified }) => simplified))

it('finds exactly the Chinese words that contain a text', async () => {
  for (const part of ['北京', '中国', '茶', '电脑']) {
    const expected = named(
      ({ simplified, traditional, english }) =>
        simplified.includes(part) ||
        traditional.includes(part) ||
        english.some((text) => text.includes(part)),
    )
    expect(await namesFor(part), part).toEqual(expected)
  }
})

it('finds entries by English words, prefixes and phrases', async () => {
  const has = (pattern: RegExp) => named(({ english }) => english.some((text) => pattern.test(text)))
  const tea = await namesFor('"green tea"')
  const dragons = await namesFor('dragon')
  expect([...has(/\bgreen tea\b/i)].filter((name) => !tea.has(name))).toEqual([])
  expect([...has(/\bdragon/i)].filter((name) => !dragons.has(name))).toEqual([])
})

it('ranks names before meanings, highlights matches and counts by kind', async () => {
  const lines = await answerLines(quire, { text: '人', facets: ['categories'] })
  expect(lines[1]).toContain('[人')
  expect(lines.at(-1)).toMatch(/^ {2}by categories: other \d+/)
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createQuire, systemIdentity } from '@quire/core'
import { openSqliteStore } from '@quire/store-sqlite'
import { answerLines, type Question } from './ask.ts'
import { readEntries } from './dictionary.ts'
import { configId, loadDictionary } from './load.ts'

const questions: readonly Question[] = [
  { text: 'tea' },
  { text: '"tea ceremony"' },
  { text: '北京', facets: ['categories', 'fields.characters'] },
  { text: '茶' },
  { text: 'river idiom' },
  { filter: { 'fields.characters': { gte: 8 } }, sort: '-fields.characters', facets: ['categories'] },
]

const folder = mkdtempSync(join(tmpdir(), 'quire-search-'))
const engine = createQuire({ store: await openSqliteStore({ file: join(folder, 'dictionary.db') }) })
try {
  const quire = engine.as(systemIdentity('example'))
  const entries = readEntries(20_000)
  await loadDictionary(quire, entries, (done) => {
    if (done % 5000 === 0) console.log(`${done} of ${entries.length} entries`)
  })
  for (const question of questions) {
    const started = performance.now()
    const lines = await answerLines(quire, question)
    console.log(`\n${lines.join('\n')}\n  ${(performance.now() - started).toFixed(1)} ms`)
  }
  await quire.savedQueries.create({
    configId,
    name: 'long-words',
    parameters: [{ name: 'least', kind: 'number', required: true }],
    query: { filter: { 'fields.characters': { gte: { $param: 'least' } } }, sort: '-fields.characters' },
  })
  const { count } = await quire.queries.runSaved({
    configId,
    name: 'long-words',
    parameters: { least: '10' },
    limit: 1,
  })
  console.log(`\nwords of ten characters and more: ${count}`)
} finally {
  await engine.close()
  rmSync(folder, { recursive: true })
}

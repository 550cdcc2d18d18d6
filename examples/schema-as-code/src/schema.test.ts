import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { expect, it, onTestFinished } from 'vitest'
import { quireCommand } from '../../../test/server/quire-command.ts'
import { serveArgs, startServer } from '../../../test/server/server-process.ts'
import { card, waiting } from './card.ts'
import { schema } from './schema.ts'

const root = dirname(import.meta.dirname)

/** A copy of the program in which somebody has edited the schema. */
function edited(change: (text: string) => string): string {
  const folder = mkdtempSync(join(root, '.edited-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['schema.ts', 'card.ts']) cpSync(join(import.meta.dirname, name), join(folder, name))
  const file = join(folder, 'schema.ts')
  writeFileSync(file, change(readFileSync(file, 'utf8')))
  return folder
}

const compilerOptions = {
  strict: true,
  noEmit: true,
  target: 'es2023',
  module: 'nodenext',
  allowImportingTsExtensions: true,
  types: ['node'],
  customConditions: ['quire-source'],
}

/** What the compiler says about a program. */
function compiled(folder: string): string {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['card.ts'] }))
  const tsc = join(root, '../../node_modules/.bin/tsc')
  return spawnSync(tsc, ['-p', '.'], { cwd: folder, encoding: 'utf8' }).stdout
}

const rename = (text: string) =>
  text.replace(
    "{ name: 'minutes', kind: 'integer', settings",
    "{ name: 'duration', renamedFrom: 'minutes', kind: 'integer', settings",
  )

it('types what the schema defines', async () => {
  const engine = createQuire({ store: createMemoryStore() })
  onTestFinished(() => engine.close())
  const quire = engine.as<typeof schema>(systemIdentity('test'))
  await quire.repositories.create({ name: 'kitchen' })
  await quire.schema.apply(schema)
  const { fields } = await quire.items.create({
    repositoryId: 'kitchen',
    type: 'recipe',
    name: 'Bread',
    fields: { title: 'Bread', minutes: 35, diet: ['vegan'], steps: [{ type: 'wait', minutes: 90 }] },
  })
  expect([card(fields), waiting(fields)]).toEqual(['Bread — 35 min, vegan', 90])
})

it('tells what an edit breaks: the plan for items, the compiler for code', { timeout: 60_000 }, async () => {
  const data = mkdtempSync(join(root, 'node_modules/.data-'))
  onTestFinished(() => rmSync(data, { recursive: true }))
  const server = await startServer({ args: serveArgs(data), env: { QUIRE_DEMO: '0' } })
  onTestFinished(() => server.stop())
  const { clientId, clientSecret } = JSON.parse(readFileSync(join(data, 'admin.json'), 'utf8'))
  const env = { ...process.env, QUIRE_CLIENT_ID: clientId, QUIRE_CLIENT_SECRET: clientSecret }
  const quire = (...args: string[]) =>
    execFileSync(process.execPath, [...quireCommand, ...args, '--url', server.url], { encoding: 'utf8', env })
  expect(quire('schema', 'apply', join(import.meta.dirname, 'schema.ts'))).toContain('+ recipe')
  const folder = edited(rename)
  expect(quire('schema', 'plan', join(folder, 'schema.ts'))).toContain('> duration (was minutes)')
  expect(compiled(folder)).toMatch(/card\.ts\(7,44\): error TS2339: Property 'minutes' does not exist/)
  expect(compiled(edited((text) => text.replace("'glutenFree'", "'glutenFree', 'raw'")))).toMatch(
    /card\.ts\(\d+,7\): error TS2741: Property 'raw' is missing/,
  )
  expect(compiled(edited((text) => text))).toBe('')
})

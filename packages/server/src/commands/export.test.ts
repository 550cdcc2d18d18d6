import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import { aFolder, inFolder, killedAt, quire } from '../../test/cli.ts'
import { demoTypes } from '../demo/content-types.ts'
import { demoLocales } from '../demo/locales.ts'
import { packageFolder } from '../package-folder.ts'

const magazine = fileURLToPath(new URL('demo/magazine', packageFolder))

// Long enough for several processes of the command, next to other tests.
vi.setConfig({ testTimeout: 60_000 })

/** A data folder with the articles and authors of the demo in the repository `notes`. */
async function filled(): Promise<string> {
  const data = await empty()
  await inFolder(data, async (_, api) => {
    for (const type of demoTypes) await api.types.create(type)
  })
  for (const type of ['author', 'article'])
    await quire(['import', join(magazine, `${type}s`), '--type', type, ...into(data)])
  return data
}

/** A data folder with the empty repository `notes`. */
async function empty(): Promise<string> {
  const data = aFolder()
  await inFolder(data, (_, api) =>
    api.repositories.create({ name: 'notes', settings: { locales: demoLocales } }),
  )
  return data
}

const into = (data: string) => ['--repository', 'notes', '--data', data]

it('moves a repository from one data folder to another, whole and only once', async () => {
  const folder = aFolder()
  const [file, again] = [join(folder, 'notes.zip'), join(folder, 'again.zip')]
  const [from, to] = [await filled(), await empty()]
  const out = await quire(['export', file, ...into(from)])
  expect([out.code, out.stdout]).toEqual([
    0,
    expect.stringMatching(/^Exported \d+\.\d MB to .*notes\.zip\n$/),
  ])
  expect(readdirSync(folder)).toEqual(['notes.zip'])
  const dry = await quire(['import', file, ...into(to), '--dry-run'])
  expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining('create type article')])
  expect(dry.stdout).toMatch(/\n17 created, 0 updated, .*\nNothing was changed\.\n$/)
  const planId = /^plan (\w+)$/m.exec(dry.stdout)?.[1] ?? ''
  const done = await quire(['import', file, ...into(to), '--plan', planId])
  expect([done.code, done.stdout]).toEqual([0, expect.stringMatching(/Done\.\n$/)])
  expect((await quire(['import', file, ...into(to)])).stdout).toContain(
    '0 created, 0 updated, 0 deleted, 17 unchanged',
  )
  const stale = await quire(['import', file, ...into(to), '--plan', planId])
  expect([stale.code, stale.stderr]).toEqual([1, expect.stringContaining('review it first')])
  await quire(['export', again, ...into(to)])
  const back = await quire(['import', again, ...into(from)])
  expect(back.stdout).toContain('0 created, 0 updated, 0 deleted, 17 unchanged, 0 refused, 0 conflicts')
})

it('continues an import that was killed', async () => {
  const file = join(aFolder(), 'notes.zip')
  const from = await empty()
  const notes = 3000
  await inFolder(from, async (_, api) => {
    await api.types.create({ name: 'note', fields: [{ name: 'text', kind: 'text' }] })
    for (let n = 0; n < notes; n++)
      await api.items.create({
        repositoryId: 'notes',
        type: 'note',
        name: `Note ${n}`,
        fields: { text: `${n}` },
      })
  })
  await quire(['export', file, ...into(from)])
  const to = await empty()
  const killed = await killedAt(`${notes} created`, ['import', file, ...into(to)])
  expect(killed.code).toBeNull()
  const rest = await quire(['import', file, ...into(to)])
  expect([rest.code, rest.stdout]).toEqual([0, expect.stringContaining('0 updated')])
  const { count } = await inFolder(to, (_, api) => api.items.list({ configId: 'notes', limit: 1 }))
  expect(count).toBe(notes)
}, 120_000)

it('tells what is wrong in one line, and leaves nothing half done', async () => {
  const folder = aFolder()
  const data = await empty()
  const text = join(folder, 'text.zip')
  writeFileSync(text, 'no archive')
  const runs = [
    [['import', text, ...into(data)], 1, /^quire: This file cannot be imported: /],
    [['import', join(folder, 'absent.zip'), ...into(data)], 1, /^quire: There is no file /],
    [['import', folder, ...into(data)], 2, /^quire: A folder needs --type/],
    [['import', text, ...into(data), '--role', 'one'], 2, /^quire: --role one: /],
    [
      ['export', join(folder, 'x.zip'), '--repository', 'none', '--data', data],
      1,
      /^quire: There is no repository "none"\.\n$/,
    ],
    [['export', join(folder, 'no/x.zip'), ...into(data)], 1, /^quire: .*no\/x\.zip/],
  ] as const
  for (const [args, code, message] of runs)
    expect(await quire(args)).toMatchObject({ code, stderr: expect.stringMatching(message) })
  expect(readdirSync(folder)).toEqual(['text.zip'])
  expect(statSync(text).size).toBe(10)
})

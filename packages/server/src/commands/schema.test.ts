import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { aFolder, inFolder, quire, serveFolder } from '../../test/cli.ts'
import { demoTypes } from '../demo/content-types.ts'
import { pullSchema } from './schema.ts'

const contract = import.meta.resolve('@quire/contract/schema')

/** A module that imports the contract by its address: nothing is installed in a folder of a test. */
function schemaFile(text: string): string {
  const file = join(aFolder(), 'schema.ts')
  writeFileSync(
    file,
    `import { defineSchema, defineType } from ${JSON.stringify(contract)}\nexport const schema = defineSchema([${text}])\n`,
  )
  return file
}

async function emptyFolder(): Promise<string> {
  const data = aFolder()
  await inFolder(data, async () => undefined)
  return data
}

const article = (fields: string) => schemaFile(`defineType({ name: 'article', fields: [${fields}] })`)
const heading = "{ name: 'heading', kind: 'text' }"

describe('quire schema', () => {
  it('plans, applies and checks what a module defines', async () => {
    const data = await emptyFolder()
    const file = article(heading)
    const run = (command: string, ...args: string[]) =>
      quire(['schema', command, file, '--data', data, ...args])
    const planned = await run('plan')
    expect(planned).toMatchObject({ code: 0, stderr: '' })
    expect(planned.stdout).toMatch(/^\+ article\n {2}\+ heading\nPlan [\da-f]{64}: /)
    const [, id = ''] = /Plan (\S+):/.exec(planned.stdout) ?? []
    expect((await run('check')).code).toBe(1)
    expect(await run('apply', '--plan', id)).toMatchObject({
      code: 0,
      stdout: '+ article\n  + heading\nApplied.\n',
    })
    const stale = await run('apply', '--plan', id)
    expect(stale).toMatchObject({ code: 0, stdout: 'The content types are as the schema says.\n' })
    expect(await run('check')).toMatchObject({ code: 0 })
  })

  it('converts items only with --migrate, over a running service', async () => {
    const data = aFolder()
    await inFolder(data, async (_, api) => {
      await api.repositories.create({ name: 'notes' })
      await api.types.create({ name: 'article', fields: [{ name: 'heading', kind: 'text' }] })
      await api.items.create({
        repositoryId: 'notes',
        type: 'article',
        name: 'A',
        fields: { heading: 'Ink' },
      })
    })
    const server = await serveFolder(data)
    const { clientId, clientSecret } = JSON.parse(readFileSync(join(data, 'admin.json'), 'utf8'))
    const connection = ['--url', server.url, '--client-id', clientId, '--client-secret', clientSecret]
    const file = article("{ name: 'title', kind: 'text', renamedFrom: 'heading' }")
    const run = (...args: string[]) => quire(['schema', 'apply', file, ...connection, ...args])
    const refused = await run()
    expect(refused.stdout).toBe(
      '~ article\n  > title (was heading)\n  ! 1 item is converted: apply it with --migrate\n',
    )
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('migrate')])
    expect((await run('--migrate')).code).toBe(0)
    await server.stop()
    await inFolder(data, async (_, api) => {
      const { items } = await api.items.list({ configId: 'notes', type: 'article' })
      expect(items[0]?.fields).toEqual({ title: 'Ink' })
    })
  })

  it('pulls the types as a module and as JSON that change nothing', async () => {
    const data = aFolder()
    await inFolder(data, async (_, api) => {
      for (const type of demoTypes) await api.types.create(type)
    })
    for (const name of ['schema.ts', 'schema.json']) {
      const out = join(aFolder(), name)
      await pullSchema({ data, out, force: false })
      await expect(pullSchema({ data, out, force: false })).rejects.toThrow('--force')
      await pullSchema({ data, out, force: true })
      const text = readFileSync(out, 'utf8')
      writeFileSync(out, text.replace("'@quire/contract/schema'", JSON.stringify(contract)))
      expect(await quire(['schema', 'check', out, '--prune', '--data', data])).toMatchObject({ code: 0 })
    }
  })

  it('switches localized fields on and off, and says what that does to items', async () => {
    const data = aFolder()
    await inFolder(data, async (_, api) => {
      const list = [
        { code: 'en', name: 'English' },
        { code: 'de', name: 'Deutsch' },
      ]
      await api.repositories.create({ name: 'notes', settings: { locales: { default: 'en', list } } })
      await api.types.create({ name: 'article', fields: [{ name: 'heading', kind: 'text' }] })
      const item = { repositoryId: 'notes', type: 'article', name: 'A', slug: 'a' }
      await api.items.create({ ...item, fields: { heading: 'Ink' } })
    })
    const run = (command: string, file: string, ...args: string[]) =>
      quire(['schema', command, file, '--data', data, ...args])
    const valuesAre = (heading: unknown) =>
      inFolder(data, async (_, api) => {
        const { fields } = await api.items.getBySlug({ configId: 'notes', slug: 'a', locale: '*' })
        expect(fields).toEqual({ heading })
      })
    const on = article("{ name: 'heading', kind: 'text', localized: true }")
    const difference = '~ article\n  ~ heading: localized\n  ! 1 item is converted: apply it with --migrate\n'
    expect((await run('plan', on)).stdout).toContain(difference)
    expect((await run('apply', on)).code).toBe(1)
    expect(await run('apply', on, '--migrate')).toMatchObject({ code: 0 })
    await valuesAre({ en: 'Ink' })
    expect(await run('check', on)).toMatchObject({ code: 0 })
    expect((await quire(['schema', 'pull', '--data', data])).stdout).toContain(
      "{ name: 'heading', kind: 'text', localized: true }",
    )
    const off = article("{ name: 'heading', kind: 'text', localized: false }")
    expect((await run('plan', off)).stdout).toContain(difference)
    expect(await run('apply', off, '--migrate')).toMatchObject({ code: 0 })
    await valuesAre('Ink')
    for (const file of [off, article(heading)]) expect(await run('check', file)).toMatchObject({ code: 0 })
    expect((await quire(['schema', 'pull', '--data', data])).stdout).not.toContain('localized')
    // Eleven processes, each of which takes 1 s on a machine that does nothing else.
  }, 90_000)

  it('says what is wrong with a file', async () => {
    const data = await emptyFolder()
    const fails = async (file: string) => {
      const { code, stderr } = await quire(['schema', 'plan', file, '--data', data])
      expect(code).toBe(1)
      return stderr
    }
    expect(await fails(join(data, 'absent.ts'))).toMatch(/absent\.ts cannot be read: /)
    const empty = join(aFolder(), 'empty.mjs')
    writeFileSync(empty, 'export const other = 1\n')
    expect(await fails(empty)).toContain('export one as `schema`')
    const bad = article("{ name: 'a', kind: 'text', settings: { pattern: '(' } }")
    expect(await fails(bad)).toContain('types.0.fields.0.settings.pattern')
  })
})

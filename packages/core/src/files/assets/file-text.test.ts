import { describe, expect, it } from 'vitest'
import { createQuire } from '../../quire.ts'
import { systemIdentity } from '../../engine/access/identity.ts'
import { createMemoryStore } from '../../memory/index.ts'
import { type Extraction, ExtractionRefused, type FileKind, type Log } from '../../ports/index.ts'

type Extract = Extraction['extract']

/** An engine whose texts come from `extract`, with the recorded requests and log. */
async function openEngine(extract: Extract) {
  const asked: FileKind[] = []
  const reported: Parameters<Log['write']>[] = []
  const extraction: Extraction = {
    extract(source, kind) {
      asked.push(kind)
      return extract(source, kind)
    },
  }
  const log: Log = { write: (...branch) => void reported.push(branch) }
  const quire = createQuire({ store: createMemoryStore(), extraction, log })
  const api = quire.as(systemIdentity('desk'))
  const { id: configId } = await api.repositories.create({ name: 'magazine' })
  await api.types.create({ name: 'document', settings: { isAsset: true }, fields: [] })
  return { quire, api, asked, reported, configId }
}

const fileOf = (text: string, name = 'a.txt') => new File([text], name)

describe('the text of a received file', () => {
  it('is extracted once, however often and wherever the same bytes arrive', async () => {
    const { api, asked, configId } = await openEngine(async () => 'ink')
    const { id } = await api.assets.create({ configId, file: fileOf('one') })
    await api.assets.create({ configId, file: fileOf('one', 'b.md') })
    await api.assets.replace({ configId, assetId: id, file: fileOf('one') })
    expect(asked).toEqual([{ mimeType: 'text/plain', size: 3 }])
  })

  it('is extracted from types that have one, and not from empty files', async () => {
    const { api, asked, configId } = await openEngine(async () => null)
    await api.assets.create({ configId, file: fileOf('') })
    await api.assets.create({ configId, file: fileOf('<?xml version="1.0"?><feed/>') })
    await api.assets.create({ configId, file: fileOf('a { color: red }', 'a.css') })
    expect(asked).toEqual([])
    await api.assets.create({ configId, file: fileOf('{}', 'a.json') })
    await api.assets.create({ configId, file: fileOf('<p>x') })
    expect(asked.map(({ mimeType }) => mimeType)).toEqual(['application/json', 'text/html'])
  })

  it('is read as UTF-16 if the file has its byte order mark', async () => {
    const { api, asked, configId } = await openEngine(async () => null)
    const file = new File([Uint8Array.of(0xff, 0xfe, 0x49, 0, 0x6e, 0, 0x6b, 0)], 'a.txt')
    const { asset } = await api.assets.create({ configId, file })
    expect(asset).toMatchObject({ mimeType: 'text/plain' })
    expect(asked).toHaveLength(1)
  })

  it.each([
    [new ExtractionRefused('slow', 'too slow'), { kind: 'slow', reason: 'too slow' }],
    [new RangeError('in “quoted content”'), { kind: 'failed', reason: 'RangeError' }],
  ])('may be missing: the file is stored, and the log says why (%s)', async (error, why) => {
    const { api, reported, configId } = await openEngine(async () => {
      throw error
    })
    const { id, asset } = await api.assets.create({ configId, file: fileOf('one') })
    const [level, event, members] = reported.find(([, name]) => name === 'extraction.refused') ?? []
    expect({ level, event, members }).toEqual({
      level: 'warn',
      event: 'extraction.refused',
      members: { hash: asset?.hash, mimeType: 'text/plain', size: 3, requestId: expect.any(String), ...why },
    })
    expect(await api.items.get({ configId, id, select: ['text'] })).toEqual({ id, text: null })
  })

  it('is extracted again when a file without text is received again', async () => {
    const outcomes: (string | null)[] = [null, 'ink']
    const { api, asked, configId } = await openEngine(async () => outcomes.shift() ?? null)
    const { id } = await api.assets.create({ configId, file: fileOf('one') })
    await api.assets.replace({ configId, assetId: id, file: fileOf('one') })
    expect(asked).toHaveLength(2)
    expect(await api.items.get({ configId, id, select: ['text'] })).toEqual({ id, text: 'ink' })
  })

  it('is not stored for a file that is refused', async () => {
    const { api, asked, configId } = await openEngine(async () => 'ink')
    await api.types.create({
      name: 'picture',
      settings: { isAsset: true, mimeTypes: ['image/*'] },
      fields: [],
    })
    await expect(api.assets.create({ configId, type: 'picture', file: fileOf('one') })).rejects.toThrow(
      'text/plain',
    )
    await api.assets.create({ configId, type: 'document', file: fileOf('one') })
    expect(asked).toHaveLength(2)
  })

  it('leaves the words of the item itself, also in locales, when it is extracted later', async () => {
    const outcomes: (string | null)[] = [null, 'ink']
    const { api, quire } = await openEngine(async () => outcomes.shift() ?? null)
    quire.work()
    const list = [
      { code: 'en', name: 'English' },
      { code: 'de', name: 'Deutsch' },
    ]
    const { id: configId } = await api.repositories.create({
      name: 'many',
      settings: { locales: { default: 'en', list } },
    })
    await api.types.create({
      name: 'scan',
      settings: { isAsset: true },
      fields: [{ name: 'caption', kind: 'text', localized: true }],
    })
    const { id } = await api.assets.create({ configId, type: 'scan', file: fileOf('one') })
    await api.items.update({ configId, id, locale: 'de', fields: { caption: 'Federkiel' } })
    const found = async (text: string) =>
      (await api.items.list({ configId, text, locale: 'de' })).items.map((item) => item.id)
    await api.admin.process({ id: configId, syncDocs: true })
    await expect.poll(() => found('ink')).toEqual([id])
    expect(await found('federkiel')).toEqual([id])
    await quire.close()
  })
})

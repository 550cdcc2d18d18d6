import type { Api, Item } from '@quire/contract'
import { ExtractionRefused, type Extraction, type FileKind, type Job } from '@quire/core/ports'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { locations, type TestEngine } from './engine.ts'

const configId = 'magazine'
const dayMs = 24 * 60 * 60 * 1000

let location: TestEngine
let api: Api
let repositoryId: string
/** The behaviour of the extraction, and the calls that it received. */
let extract: Extraction['extract']
let asked: FileKind[]

const refusing =
  (kind: ExtractionRefused['kind']): Extraction['extract'] =>
  async () => {
    throw new ExtractionRefused(kind, `It is ${kind}.`)
  }

/** Returns the file's content as its text. */
const reading: Extraction['extract'] = async (source) => {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of await source()) text += decoder.decode(piece, { stream: true })
  return text
}

const textFile = (text: string, name = 'a.txt') => new File([text], name)
const create = (text: string, given: object = {}) =>
  api.assets.create({ configId, type: 'file', file: textFile(text), ...given })
const hashOf = ({ asset }: Item): string => asset?.hash ?? ''
const found = async (text: string, given: object = {}) =>
  (await api.items.list({ configId, text, ...given })).items.map(({ id }) => id)
const sync = () => location.run('docs.sync', repositoryId)

function findingsOf({ result }: Job): readonly unknown[] {
  return result?.['findings'] as readonly unknown[]
}

describe.each(locations)('a sync of documents %s', (_name, open) => {
  beforeEach(async () => {
    asked = []
    extract = refusing('slow')
    const extraction: Extraction = {
      extract(source, kind) {
        asked.push(kind)
        return extract(source, kind)
      },
    }
    location = await open({ extraction })
    ;({ api } = location)
    repositoryId = (await api.repositories.create({ name: configId })).id
    await api.types.create({ name: 'file', settings: { isAsset: true }, fields: [] })
  })
  afterEach(() => location.close())

  it('extracts what was refused for want of a parser, once there is one', async () => {
    extract = refusing('unsupported')
    await create('the first wombat')
    expect(await sync()).toMatchObject({ result: { files: 1, later: 1 } })
    extract = reading
    expect(await sync()).toMatchObject({ result: { files: 1, extracted: 1 } })
    expect(await found('wombat')).toHaveLength(1)
  })

  it('extracts the text of every file without one, including packages and old versions', async () => {
    const item = await create('the first wombat')
    await api.assets.replace({ configId, assetId: item.id, file: textFile('the second wombat') })
    await api.packages.create({ repo: configId, name: 'issue' })
    const inPackage = { packageName: 'issue' }
    const branched = await create('a quokka', inPackage)
    expect(await found('wombat')).toEqual([])
    extract = reading
    asked = []
    expect(await sync()).toMatchObject({
      state: 'succeeded',
      result: { files: 3, known: 0, extracted: 3, indexed: 2, findings: [] },
    })
    expect(await found('wombat')).toEqual([item.id])
    expect(await found('quokka')).toEqual([])
    expect(await found('quokka', inPackage)).toEqual([branched.id])
    const old = { configId, id: item.id, version: '1', select: ['text' as const] }
    expect(await api.items.get(old)).toMatchObject({ text: 'the first wombat' })
    expect(asked).toHaveLength(3)
    expect(await sync()).toMatchObject({ result: { known: 3, extracted: 0 } })
    expect(asked).toHaveLength(3)
  })

  it('extracts a file once, and makes all its items searchable, including published versions', async () => {
    const [one, two] = [await create('an echidna'), await create('an echidna')]
    for (const { id } of [one, two]) await api.items.publish({ configId, id })
    await api.assets.replace({ configId, assetId: two.id, file: textFile('a draft of it') })
    extract = reading
    asked = []
    await sync()
    expect(asked).toHaveLength(2)
    expect(await found('echidna')).toEqual([one.id])
    await api.repositories.update({ id: configId, public: true })
    const { items } = await api.published.items({ configId, text: 'echidna' })
    expect(items.map(({ id }) => id).toSorted()).toEqual([one.id, two.id].toSorted())
  })

  it('reports missing, damaged and temporarily unreadable files, and continues', async () => {
    const files = [await create('lost'), await create('damaged'), await create('slow'), await create('good')]
    const [lost, damaged, slow, good] = files
    location.lose(hashOf(lost as Item))
    location.damage(hashOf(damaged as Item))
    extract = async (source, kind) => {
      const text = await reading(source, kind)
      if (text === 'slow') throw new ExtractionRefused('slow', 'It took too long.')
      return text
    }
    const job = await sync()
    expect(job).toMatchObject({
      state: 'succeeded',
      result: { files: 4, missing: 1, corrupt: 1, later: 1, extracted: 1 },
    })
    expect(findingsOf(job)).toEqual([
      { what: 'missing', file: hashOf(lost as Item), item: lost?.id, version: 1, package: null },
      { what: 'corrupt', file: hashOf(damaged as Item), item: damaged?.id, version: 1, package: null },
      { what: 'later', file: hashOf(slow as Item), item: slow?.id, version: 1, package: null },
    ])
    expect(location.logged.filter(([level]) => level === 'error').map(([, event]) => event)).toEqual([
      'blob.missing',
      'blob.corrupt',
    ])
    expect(await found('good')).toEqual([good?.id])
    asked = []
    await sync()
    // Temporarily unreadable files are all tried again.
    expect(asked).toHaveLength(3)
  })

  it.each(['unreadable', 'large'] as const)('does not retry a file that is %s for a month', async (kind) => {
    await create('broken')
    extract = refusing(kind)
    asked = []
    expect(await sync()).toMatchObject({ result: { refused: 1 } })
    expect(await sync()).toMatchObject({ result: { known: 1, refused: 0, findings: [] } })
    expect(asked).toHaveLength(1)
    extract = reading
    location.clock.advance(31 * dayMs)
    expect(await sync()).toMatchObject({ result: { extracted: 1 } })
    expect(await found('broken')).toHaveLength(1)
  })

  it('does not retry a file without text, or try one that is not a document', async () => {
    await create('blank')
    await create('', { file: textFile('') })
    await create('<?xml version="1.0"?><feed/>')
    extract = async () => null
    asked = []
    expect(await sync()).toMatchObject({ result: { files: 1, empty: 1 } })
    expect(await sync()).toMatchObject({ result: { files: 1, known: 1 } })
    expect(asked).toHaveLength(1)
  })

  it('waits while the extraction is busy, and leaves rejected files for the next sync', async () => {
    await create('patient')
    let left = 1
    extract = async (source, kind) => {
      left -= 1
      if (left >= 0) throw new ExtractionRefused('busy', 'Too many.')
      return reading(source, kind)
    }
    expect(await sync()).toMatchObject({ result: { extracted: 1, later: 0 } })
    // The upload tries once, the sync five times.
    left = 6
    await create('unlucky')
    expect(await sync()).toMatchObject({ result: { known: 1, later: 1 } })
  }, 20_000)

  it('is not stopped by a file that crashes the extraction', async () => {
    await create('poison')
    const good = await create('cassowary')
    extract = async (source, kind) => {
      const text = await reading(source, kind)
      if (text === 'poison') throw new RangeError('in “quoted content”')
      return text
    }
    expect(await sync()).toMatchObject({ state: 'succeeded', result: { failed: 1, extracted: 1 } })
    expect(await found('cassowary')).toEqual([good.id])
    expect(JSON.stringify(location.logged)).not.toContain('quoted content')
  })

  it('joins a running rebuild, and completes the index', async () => {
    await create('one')
    extract = reading
    const rebuild = await api.admin.rebuildIndex({ id: configId })
    const job = await sync()
    expect(job).toMatchObject({ state: 'succeeded' })
    const { rebuild: last } = await api.admin.index({ id: configId })
    expect(last).toMatchObject({ state: 'succeeded' })
    expect(rebuild.state).toBe('running')
    const entries = await location.store.journal.read({ after: 0, limit: 99, repositoryId })
    expect(entries.filter(({ event }) => event === 'INDEX_REBUILT').length).toBeLessThanOrEqual(2)
  })

  it('drops the text of an unneeded file, and retains that of a file that was uploaded again', async () => {
    extract = reading
    const [gone, again] = [await create('a dodo'), await create('a thylacine')]
    for (const { id } of [gone, again]) await api.items.delete({ configId, id })
    location.clock.advance(31 * dayMs)
    await location.run('items.purge')
    const back = await create('a thylacine')
    expect(await location.run('blobs.sweep')).toMatchObject({ state: 'succeeded', result: { texts: 1 } })
    expect(await location.store.texts.get(hashOf(gone))).toBeNull()
    expect(await found('thylacine')).toEqual([back.id])
    expect(await api.items.get({ configId, id: back.id, select: ['text'] })).toMatchObject({
      text: 'a thylacine',
    })
  })
})

import type { Api, Item } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import type { DerivedName, Job } from '@quire/core/ports'
import { sharpMedia } from '@quire/media-sharp'
import { specimens } from '@quire/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { derivedKey } from './damageable.ts'
import { locations, type TestEngine } from './engine.ts'

const configId = 'magazine'

let location: TestEngine
let api: Api
let repositoryId: string

const textFile = (text: string) => new File([text], 'a.txt')
const create = (text: string, given: object = {}) =>
  api.assets.create({ configId, type: 'file', file: textFile(text), ...given })
const hashOf = ({ asset }: Item): string => asset?.hash ?? ''
const sync = () => {
  // A minute after all files were stored.
  location.clock.advance(60_000)
  return location.run('assets.sync', repositoryId)
}
const stateOf = (hash: string) => location.blobs.verify(hash)

/** A picture with two stored renditions. */
async function pictureWithRenditions(): Promise<{ item: Item; derived: readonly DerivedName[] }> {
  const file = new File([Uint8Array.from(await specimens.png())], 'a.png')
  const item = await api.assets.create({ configId, type: 'file', file })
  for (const [rendition, format] of [
    ['thumbnail', 'webp'],
    ['small', 'jpeg'],
  ] as const)
    await (await api.assets.get({ configId, assetId: item.id, rendition, format })).bytes()
  await expect.poll(async () => (await derivedOf(hashOf(item))).length).toBe(2)
  return { item, derived: await derivedOf(hashOf(item)) }
}

async function derivedOf(source: string): Promise<readonly DerivedName[]> {
  const found: DerivedName[] = []
  for await (const entry of location.blobs.derived.list()) if (entry.source === source) found.push(entry)
  return found
}

function findingsOf({ result }: Job): readonly unknown[] {
  return result?.['findings'] as readonly unknown[]
}

describe.each(locations)('a sync of assets %s', (_name, open) => {
  beforeEach(async () => {
    location = await open({ media: sharpMedia() })
    ;({ api } = location)
    repositoryId = (await api.repositories.create({ name: configId })).id
    await api.types.create({ name: 'file', settings: { isAsset: true }, fields: [] })
  })
  afterEach(() => location.close())

  it('reports nothing if all files are sound, and reads each file once, even if items share it', async () => {
    const { item } = await pictureWithRenditions()
    const texts = [await create('one'), await create('one'), await create('two')]
    expect(await sync()).toMatchObject({
      state: 'succeeded',
      result: { files: 3, missing: 0, corrupt: 0, pictures: 2, remade: 0, unmade: 0, findings: [] },
    })
    for (const one of [item, ...texts]) expect(location.verified.get(hashOf(one))).toBe(1)
  })

  it('reports missing and damaged files, and changes no content', async () => {
    const [lost, damaged, sound] = [await create('lost'), await create('damaged'), await create('sound')]
    location.lose(hashOf(lost))
    location.damage(hashOf(damaged))
    const before = await api.items.list({ configId })
    const job = await sync()
    expect(job).toMatchObject({ state: 'succeeded', result: { files: 3, missing: 1, corrupt: 1 } })
    expect(findingsOf(job)).toEqual([
      { what: 'missing', file: hashOf(lost), item: lost.id, version: 1, package: null },
      { what: 'corrupt', file: hashOf(damaged), item: damaged.id, version: 1, package: null },
    ])
    const reported = location.logged.filter(([level]) => level === 'error')
    expect(reported.map(([, event, members]) => [event, members?.['hash']])).toEqual([
      ['blob.missing', hashOf(lost)],
      ['blob.corrupt', hashOf(damaged)],
    ])
    expect(await api.items.list({ configId })).toEqual(before)
    expect([await stateOf(hashOf(damaged)), await stateOf(hashOf(sound))]).toEqual(['corrupt', 'sound'])
  })

  it('checks old versions, packages, archived and deleted assets, but no other repository', async () => {
    await api.repositories.create({ name: 'elsewhere' })
    const elsewhere = await api.assets.create({
      configId: 'elsewhere',
      type: 'file',
      file: textFile('elsewhere'),
    })
    const item = await create('first version')
    await api.assets.replace({ configId, assetId: item.id, file: textFile('second version') })
    await api.packages.create({ repo: configId, name: 'issue' })
    const branched = await create('in a package', { packageName: 'issue' })
    const deleted = await create('deleted')
    await api.items.delete({ configId, id: deleted.id })
    const archived = await create('archived')
    await api.items.archive({ configId, id: archived.id })
    const made = textFile('made by hand')
    const { renditions } = await api.renditions.upload({
      configId,
      assetId: archived.id,
      rendition: 'own',
      file: made,
    })
    expect(renditions.map(({ name }) => name)).toContain('own')
    for (const one of [item, branched, deleted, archived, elsewhere]) location.lose(hashOf(one))
    const job = await sync()
    expect(job.result).toMatchObject({ files: 6, missing: 4 })
    expect(findingsOf(job)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ item: item.id, version: 1, package: null }),
        expect.objectContaining({ item: branched.id, package: expect.stringMatching(/^PACK_/) }),
        expect.objectContaining({ item: deleted.id }),
        expect.objectContaining({ item: archived.id }),
      ]),
    )
  })

  it('recreates lost or damaged renditions', async () => {
    const { item, derived } = await pictureWithRenditions()
    const [one, other] = derived
    if (!one || !other) throw new Error('Two renditions are required.')
    location.lose(derivedKey(one))
    location.damage(derivedKey(other))
    const job = await sync()
    expect(job.result).toMatchObject({ files: 1, pictures: 2, remade: 2, unmade: 0 })
    expect(findingsOf(job)).toEqual(
      expect.arrayContaining([
        { what: 'missing', of: hashOf(item), recipe: one.recipe, isRemade: true },
        expect.objectContaining({ what: 'corrupt', isRemade: true }),
      ]),
    )
    const now = await derivedOf(hashOf(item))
    expect(now.map(({ recipe }) => recipe).toSorted()).toEqual(derived.map(({ recipe }) => recipe).toSorted())
    for (const made of now) expect(await location.blobs.derived.verify(made)).toBe('sound')
    expect((await sync()).result).toMatchObject({ remade: 0, unmade: 0, findings: [] })
  })

  it('recreates none from a damaged file, and none with an unknown recipe', async () => {
    const { item, derived } = await pictureWithRenditions()
    location.damage(hashOf(item))
    for (const made of derived) location.lose(derivedKey(made))
    const sound = await create('sound')
    const before = { source: hashOf(sound), recipe: 'from-before' }
    await location.blobs.derived.retain(before, new Uint8Array(1))
    location.lose(derivedKey(before))
    expect((await sync()).result).toMatchObject({ corrupt: 1, pictures: 3, remade: 0, unmade: 3 })
    expect(await stateOf(hashOf(item))).toBe('corrupt')
  })

  it('is completed once by the next service if one stops during the sync', async () => {
    for (let count = 0; count < 20; count++) await create(`file ${count}`)
    const { store, clock, blobs } = location
    let looked = 0
    const slow = {
      ...blobs,
      async verify(hash: string) {
        looked += 1
        await new Promise((resolve) => setTimeout(resolve, 5))
        return blobs.verify(hash)
      },
    }
    // The store stays open when this engine closes.
    const first = createQuire({ store: { ...store, close: async () => undefined }, clock, blobs: slow })
    await first.as(systemIdentity('first')).admin.process({ id: configId, syncAssets: true })
    await expect.poll(() => looked).toBeGreaterThan(3)
    await first.close()
    expect(looked).toBeLessThan(20)
    const [stopped] = await store.jobs.list({ kind: 'assets.sync', limit: 9 })
    expect(stopped).toMatchObject({ state: 'queued', attempts: 1 })
    await api.admin.process({ id: configId, reloadGraph: true })
    await location.quire.settled()
    const jobs = await store.jobs.list({ kind: 'assets.sync', limit: 9 })
    expect(jobs).toMatchObject([{ id: stopped?.id, state: 'succeeded', attempts: 2, result: { files: 20 } }])
  })

  it('fails permanently when its repository is gone', async () => {
    const job = await location.run('assets.sync', 'REPO_GONE')
    expect(job).toMatchObject({ state: 'failed', attempts: 1, error: 'The repository is gone.' })
  })
})

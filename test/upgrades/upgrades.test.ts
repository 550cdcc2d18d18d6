import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Binary } from '@quire/contract'
import { systemIdentity, type Quire } from '@quire/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  fixtureNumbers,
  longText,
  openFolder,
  readFixture,
  remove,
  schemaHash,
  schemaNumber,
  unpack,
} from './installation.ts'

const at = { configId: 'magazine' }

it('the current schema has a fixture and has not changed since (otherwise see the README in this folder)', () => {
  expect(fixtureNumbers()).toContain(schemaNumber)
  expect(readFixture(schemaNumber).schemaHash).toBe(schemaHash)
})

describe.each(fixtureNumbers())('a data folder of schema %i', (number) => {
  let folder: string
  let quire: Quire
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-upgrades-'))
    unpack(readFixture(number), folder)
    quire = await openFolder(folder)
  })
  afterEach(async () => {
    await quire.close()
    remove(folder)
  })

  it('can be read completely', async () => {
    const api = quire.as(systemIdentity('test'))
    const one = await api.items.getBySlug({ ...at, slug: 'one' })
    expect(one).toMatchObject({ name: 'One', currentVersion: 2, fields: { title: 'A draft ahead' } })
    const first = await api.items.get({ ...at, id: one.id, version: '1' })
    expect(first.fields).toEqual({ title: 'A lantern' })
    const published = await api.published.itemBySlug({ ...at, slug: 'one' })
    expect(published.fields).toEqual({ title: 'A lantern' })
    const inSpring = await api.items.get({ ...at, packageName: 'spring', id: one.id })
    expect(inSpring).toMatchObject({ name: 'One in spring', isPublished: true, isLatestPublished: false })
    const asPublished = { packageName: 'spring', id: one.id, version: 'latestpublished' as const }
    expect((await api.items.get({ ...at, ...asPublished })).currentVersion).toBe(1)
    const found = await api.items.list({ ...at, text: 'draft' })
    expect(found.items.map(({ id }) => id)).toEqual([one.id])
    expect((await api.users.get({ id: 'ada@example.com' })).name).toBe('Ada')
    const [site] = (await api.sites.list(at)).items
    expect((await api.sites.publications({ ...at, siteId: site?.id ?? '' })).items).toHaveLength(1)
    const page = await api.sites.serve({ siteSlug: 'magazine', path: 'articles/frost/' })
    expect(await textOf(page)).toContain('On frost')
    const [file] = (await api.items.list({ ...at, type: 'file' })).items
    const bytes = await api.assets.get({ ...at, assetId: file?.id ?? '', rendition: 'original' })
    expect(await textOf(bytes)).toBe('frost on a pane')
  })

  it.runIf(number >= 16)('has large values', async () => {
    const api = quire.as(systemIdentity('test'))
    const long = await api.items.getBySlug({ ...at, slug: 'long' })
    expect(long).toMatchObject({ name: 'Still long', fields: { title: longText } })
    const first = await api.items.get({ ...at, id: long.id, version: '1' })
    expect(first).toMatchObject({ name: 'Long', fields: { title: longText } })
  })

  it('can be written to', async () => {
    const api = quire.as(systemIdentity('test'))
    await api.packages.merge({ repo: 'magazine', packageName: 'spring' })
    const one = await api.items.getBySlug({ ...at, slug: 'one' })
    expect(one).toMatchObject({ name: 'One in spring', fields: { title: 'A draft ahead' } })
    const next = await api.items.update({ ...at, id: one.id, fields: { title: 'Later' } })
    expect(next.currentVersion).toBe(Number(one.currentVersion) + 1)
    const long = await api.items.update({ ...at, id: one.id, fields: { title: longText } })
    expect(long.fields).toEqual({ title: longText })
    await api.items.update({ ...at, id: one.id, fields: { title: 'Later' } })
    const earlier = await api.items.get({ ...at, id: one.id, version: String(long.currentVersion) })
    expect(earlier.fields).toEqual({ title: longText })
    await api.items.publish({ ...at, id: one.id })
    expect((await api.published.itemBySlug({ ...at, slug: 'one' })).fields).toEqual({ title: 'Later' })
    const [site] = (await api.sites.list(at)).items
    await api.sites.publish({ ...at, siteId: site?.id ?? '' })
    await quire.settled()
    expect((await api.sites.publications({ ...at, siteId: site?.id ?? '' })).items).toHaveLength(2)
  })
})

function textOf(binary: Binary): Promise<string> {
  return new Response(binary.stream()).text()
}

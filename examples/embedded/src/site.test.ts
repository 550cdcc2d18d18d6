import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemIdentity } from '@quire/core'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSite, type Site } from './site.ts'

let folder = ''
let site: Site

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-embedded-'))
  site = await start()
})

afterEach(async () => {
  await site.close()
  await rm(folder, { recursive: true })
})

async function start(): Promise<Site> {
  const opened = await openSite({ file: join(folder, 'magazine.db') })
  await new Promise<void>((resolve) => opened.server.listen(0, '127.0.0.1', resolve))
  return opened
}

async function get(path: string): Promise<{ status: number; html: string }> {
  const { port } = site.server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } })
  return { status: response.status, html: await response.text() }
}

it('lists the published articles and shows each', async () => {
  expect((await get('/')).html).toContain('<a href="/ink-that-remembers">Ink that remembers</a>')
  expect((await get('/ink-that-remembers')).html).toContain('<p>It goes on pale, and darkens for days.</p>')
})

it('answers 404 for a missing article', async () => {
  expect(await get('/ink-that-forgets')).toMatchObject({ status: 404 })
})

it('keeps serving the published version while a draft is newer', async () => {
  const editor = site.quire.as(systemIdentity('editor'))
  const { id } = await editor.items.getBySlug({ configId: 'magazine', slug: 'ink-that-remembers' })
  await editor.items.update({ configId: 'magazine', id, fields: { body: '<p>Not yet.</p>' } })
  expect((await get('/ink-that-remembers')).html).toContain('darkens for days')
  await editor.items.publish({ configId: 'magazine', id })
  expect((await get('/ink-that-remembers')).html).toContain('<p>Not yet.</p>')
})

it('still has the saved content after a restart', async () => {
  const editor = site.quire.as(systemIdentity('editor'))
  const { id } = await editor.items.create({
    repositoryId: 'magazine',
    type: 'article',
    name: 'Small capitals',
    fields: { title: 'Small capitals' },
  })
  await editor.items.publish({ configId: 'magazine', id })
  await site.close()
  site = await start()
  expect((await get('/')).html).toContain('<a href="/small-capitals">Small capitals</a>')
})

import { randomBytes } from 'node:crypto'
import { statfsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { administratorToken } from '../server/api-access.ts'
import { append, beginUpload, finishUpload, progressOf, uploadWhole } from './append.ts'
import { ask, askJson, type Answer } from './ask.ts'
import { countItems, faultsIn, filesIn, hashOf, hashOfItem } from './look.ts'
import { Location, repository } from './location.ts'
import { fillDisk, freeDisk, mountSmall, unmount, whyNoMount } from './small-disk.ts'

const MiB = 1024 ** 2
const unmountable = whyNoMount()

let location: Location
beforeEach(({ skip }) => {
  if (unmountable !== null) skip(unmountable)
})
afterEach(async () => {
  if (unmountable !== null) return
  await location.kill()
  unmount(location.folder)
  await location.close()
})

/** A server with a data folder on a 64 MiB disk, optionally with another minimum of free space. */
async function openSmall(minFree?: number): Promise<void> {
  location = new Location(minFree === undefined ? {} : { QUIRE_MIN_FREE: String(minFree) })
  mountSmall(location.folder, 64)
  await location.open()
}

const codeOf = ({ status, body }: Answer) => {
  const { code }: { code?: string } = body.length > 0 ? JSON.parse(body.toString()) : {}
  return [status, code]
}

// How long the service relies on its last check of the disk.
const lookMs = 1000

/** Fills the disk up to a number of free bytes, and waits until the service has noticed. */
async function fill(left: number): Promise<void> {
  fillDisk(location.folder, left)
  await wait(lookMs + 100)
}

/** Uploads a file in one form. */
function sendForm(bytes: Buffer): Promise<Answer> {
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="form.bin"\r\n\r\n'
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--x--\r\n')])
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  return ask(location, { method: 'POST', path: `/api/assets/${repository}`, headers, body })
}

const listItems = () => ask(location, { path: `/api/items/${repository}?limit=10` })

describe('a full disk', () => {
  it('rejects files with 507 and leaves nothing half written; reads continue, and uploads resume once there is space', async () => {
    await openSmall(0)
    const stored = randomBytes(2 * MiB)
    const storedId = await uploadWhole(location, stored)
    const bytes = randomBytes(24 * MiB)
    const path = await beginUpload(location, bytes.length)
    const first = await append(location, path, { offset: 0, bytes: bytes.subarray(0, 9 * MiB) })
    expect([first.status, first.headers['upload-offset']]).toEqual([204, String(9 * MiB)])
    const before = { items: await countItems(location), blobs: filesIn(location, 'blobs') }

    fillDisk(location.folder, 5 * MiB)
    const refused = await append(location, path, { offset: 9 * MiB, bytes: bytes.subarray(9 * MiB) })
    expect(codeOf(refused)).toEqual([507, 'no_room'])
    expect(codeOf(await sendForm(randomBytes(16 * MiB)))).toEqual([507, 'no_room'])
    expect({ items: await countItems(location), blobs: filesIn(location, 'blobs') }).toEqual(before)
    expect(filesIn(location, 'temp')).toEqual([])
    const { offset, itemId } = await progressOf(location, path)
    expect(itemId).toBeNull()
    expect(offset).toBeGreaterThanOrEqual(9 * MiB)

    fillDisk(location.folder, 0)
    expect(statfsSync(location.folder).bavail).toBe(0)
    for (let count = 0; count < 20; count++) {
      expect((await listItems()).status).toBe(200)
      expect(await hashOfItem(location, storedId)).toBe(hashOf(stored))
      expect((await progressOf(location, path)).offset).toBe(offset)
    }
    expect((await sendForm(randomBytes(MiB))).status).toBe(507)
    expect(location.server.ended()).toBeNull()

    freeDisk(location.folder)
    const start = performance.now()
    const done = await finishUpload(location, path, bytes)
    // F10: the first write within 5 s after space is freed. Here, the release of the lock could not
    // be written.
    expect(performance.now() - start).toBeLessThan(6500)
    expect(await hashOfItem(location, done.itemId)).toBe(hashOf(bytes))
    expect(await countItems(location)).toBe(before.items + 1)
    expect((await sendForm(randomBytes(MiB))).status).toBe(201)
    await location.server.stop()
    expect(faultsIn(location)).toEqual([])
  })

  it('rejects new content with 507 below the minimum of free space, so that deletions still work', async () => {
    await openSmall()
    const type = { name: 'article', fields: [{ name: 'title', kind: 'text' }] }
    expect((await askJson(location, '/api/content/management/types', type)).status).toBe(201)
    const item = { repositoryId: repository, type: 'article', name: 'Ink', fields: { title: 'Ink' } }
    const saved = await askJson(location, '/api/items', item)
    const { id }: { id: string } = JSON.parse(saved.body.toString())
    const bytes = randomBytes(8 * MiB)
    const path = await beginUpload(location, bytes.length)
    expect((await append(location, path, { offset: 0, bytes: bytes.subarray(0, 100) })).status).toBe(204)
    // 5 % of 64 MiB are 3.2 MiB.
    await fill(3 * MiB)
    await expect(beginUpload(location, 10)).rejects.toThrow('507')
    expect(codeOf(await sendForm(Buffer.from('ten bytes!')))).toEqual([507, 'no_room'])
    const rest = await append(location, path, { offset: 100, bytes: bytes.subarray(100) })
    expect(codeOf(rest)).toEqual([507, 'no_room'])
    const refused = await askJson(location, '/api/items', item)
    expect(codeOf(refused)).toEqual([507, 'no_room'])
    expect(refused.body.toString()).toMatch(/[0-9]+ bytes are free .* [0-9]+ must stay free/)
    const disk = await ask(location, { path: '/api/admin/health' })
    expect(disk.body.toString()).toContain('requests that add content are rejected')
    expect((await ask(location, { path: `/api/items/${repository}/${id}` })).status).toBe(200)
    await administratorToken(location.url)
    expect((await ask(location, { method: 'DELETE', path: `/api/items/${repository}/${id}` })).status).toBe(
      204,
    )

    freeDisk(location.folder)
    expect((await askJson(location, '/api/items', item)).status).toBe(201)
    const { itemId } = await finishUpload(location, path, bytes)
    expect(await hashOfItem(location, itemId)).toBe(hashOf(bytes))
  })

  it('has the minimum of free space that QUIRE_MIN_FREE sets', async () => {
    await openSmall(MiB)
    await fill(3 * MiB)
    const bytes = randomBytes(MiB / 2)
    expect(await hashOfItem(location, await uploadWhole(location, bytes))).toBe(hashOf(bytes))
    await fill(MiB - 8192)
    await expect(beginUpload(location, 10)).rejects.toThrow('507')
    expect((await listItems()).status).toBe(200)
  })
})

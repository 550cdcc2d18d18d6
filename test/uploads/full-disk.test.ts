import { randomBytes } from 'node:crypto'
import { statfsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { append, beginUpload, finishUpload, progressOf, uploadWhole } from './append.ts'
import { ask, askJson, type Answer } from './ask.ts'
import { countItems, faultsIn, filesIn, hashOf, hashOfItem } from './look.ts'
import { Place, repository } from './place.ts'
import { fillDisk, freeDisk, mountSmall, unmount, whyNoMount } from './small-disk.ts'

const MiB = 1024 ** 2
const unmountable = whyNoMount()

let place: Place
beforeEach(({ skip }) => {
  if (unmountable !== null) skip(unmountable)
})
afterEach(async () => {
  if (unmountable !== null) return
  await place.kill()
  unmount(place.folder)
  await place.close()
})

/** A server whose data folder is a disk of 64 MiB, with another floor than the usual where one is given. */
async function openSmall(minFree?: number): Promise<void> {
  place = new Place(minFree === undefined ? {} : { QUIRE_MIN_FREE: String(minFree) })
  mountSmall(place.folder, 64)
  await place.open()
}

const codeOf = ({ status, body }: Answer) => {
  const { code }: { code?: string } = body.length > 0 ? JSON.parse(body.toString()) : {}
  return [status, code]
}

// How long the service trusts its last look at the disk.
const lookMs = 1000

/** Leaves so many bytes free, and waits until the service knows. */
async function fill(left: number): Promise<void> {
  fillDisk(place.folder, left)
  await wait(lookMs + 100)
}

/** A file by one form. */
function sendForm(bytes: Buffer): Promise<Answer> {
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="form.bin"\r\n\r\n'
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--x--\r\n')])
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  return ask(place, { method: 'POST', path: `/api/assets/${repository}`, headers, body })
}

const listItems = () => ask(place, { path: `/api/items/${repository}?limit=10` })

describe('a full disk', () => {
  it('is 507 for files and leaves nothing half written; reads go on, and so do uploads once there is room', async () => {
    await openSmall(0)
    const kept = randomBytes(2 * MiB)
    const keptId = await uploadWhole(place, kept)
    const bytes = randomBytes(24 * MiB)
    const path = await beginUpload(place, bytes.length)
    const first = await append(place, path, { offset: 0, bytes: bytes.subarray(0, 9 * MiB) })
    expect([first.status, first.headers['upload-offset']]).toEqual([204, String(9 * MiB)])
    const before = { items: await countItems(place), blobs: filesIn(place, 'blobs') }

    fillDisk(place.folder, 5 * MiB)
    const refused = await append(place, path, { offset: 9 * MiB, bytes: bytes.subarray(9 * MiB) })
    expect(codeOf(refused)).toEqual([507, 'no_room'])
    expect(codeOf(await sendForm(randomBytes(16 * MiB)))).toEqual([507, 'no_room'])
    expect({ items: await countItems(place), blobs: filesIn(place, 'blobs') }).toEqual(before)
    expect(filesIn(place, 'temp')).toEqual([])
    const { offset, itemId } = await progressOf(place, path)
    expect(itemId).toBeNull()
    expect(offset).toBeGreaterThanOrEqual(9 * MiB)

    fillDisk(place.folder, 0)
    expect(statfsSync(place.folder).bavail).toBe(0)
    for (let count = 0; count < 20; count++) {
      expect((await listItems()).status).toBe(200)
      expect(await hashOfItem(place, keptId)).toBe(hashOf(kept))
      expect((await progressOf(place, path)).offset).toBe(offset)
    }
    expect((await sendForm(randomBytes(MiB))).status).toBe(507)
    expect(place.server.ended()).toBeNull()

    freeDisk(place.folder)
    const start = performance.now()
    const done = await finishUpload(place, path, bytes)
    // F10: the first write within 5 s after space is freed. What could not be written is the release of the lock.
    expect(performance.now() - start).toBeLessThan(6500)
    expect(await hashOfItem(place, done.itemId)).toBe(hashOf(bytes))
    expect(await countItems(place)).toBe(before.items + 1)
    expect((await sendForm(randomBytes(MiB))).status).toBe(201)
    await place.server.stop()
    expect(faultsIn(place)).toEqual([])
  })

  it('is 507 for files before it is one for the rest: the floor stays free', async () => {
    await openSmall()
    const bytes = randomBytes(8 * MiB)
    const path = await beginUpload(place, bytes.length)
    expect((await append(place, path, { offset: 0, bytes: bytes.subarray(0, 100) })).status).toBe(204)
    // 5 % of 64 MiB are 3.2.
    await fill(3 * MiB)
    await expect(beginUpload(place, 10)).rejects.toThrow('507')
    expect(codeOf(await sendForm(Buffer.from('ten bytes!')))).toEqual([507, 'no_room'])
    const rest = await append(place, path, { offset: 100, bytes: bytes.subarray(100) })
    expect(codeOf(rest)).toEqual([507, 'no_room'])
    const type = { name: 'article', fields: [{ name: 'title', kind: 'text' }] }
    expect((await askJson(place, '/api/content/management/types', type)).status).toBe(201)
    const item = { repositoryId: repository, type: 'article', name: 'Ink', fields: { title: 'Ink' } }
    expect((await askJson(place, '/api/items', item)).status).toBe(201)

    freeDisk(place.folder)
    const { itemId } = await finishUpload(place, path, bytes)
    expect(await hashOfItem(place, itemId)).toBe(hashOf(bytes))
  })

  it('is as small as QUIRE_MIN_FREE says', async () => {
    await openSmall(MiB)
    await fill(3 * MiB)
    const bytes = randomBytes(MiB / 2)
    expect(await hashOfItem(place, await uploadWhole(place, bytes))).toBe(hashOf(bytes))
    await fill(MiB - 8192)
    await expect(beginUpload(place, 10)).rejects.toThrow('507')
    expect((await listItems()).status).toBe(200)
  })
})

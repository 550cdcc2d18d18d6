import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uploadWhole } from './append.ts'
import { ask, askJson, begin } from './ask.ts'
import { hashOf } from './look.ts'
import { Location, repository } from './location.ts'
import { openFiles, residentBytes } from './process.ts'
import { hasUnzip, testArchive } from './unzip.ts'

const MiB = 1024 ** 2
const path = `/api/assets/zip/${repository}`

let location: Location
const large: string[] = []
const last = randomBytes(MiB)
let lastId: string
beforeAll(async () => {
  location = await new Location().open()
  const bytes = randomBytes(32 * MiB)
  for (let count = 0; count < 6; count++) large.push(await uploadWhole(location, bytes, 'large.bin'))
  lastId = await uploadWhole(location, last, 'last.bin')
}, 60_000)
afterAll(() => location.close())

const beginArchive = (ids: readonly string[]) =>
  begin(location, {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ids),
  })

describe('an archive', () => {
  it('for a slow reader is not held in memory', async () => {
    const openBefore = openFiles(location.pid).length
    const response = await beginArchive([...large, lastId])
    const before = residentBytes(location.pid)
    // Ten chunks of 16 KiB per second, out of 193 MiB.
    for (let count = 0; count < 15; count++) {
      response.read(16 * 1024)
      await wait(100)
      expect((await ask(location, { path: '/readyz' })).status).toBe(200)
    }
    expect(residentBytes(location.pid) - before).toBeLessThan(40 * MiB)
    response.destroy()
    await expect.poll(() => openFiles(location.pid).length, { timeout: 2000 }).toBeLessThanOrEqual(openBefore)
  })

  it('breaks off and is unusable if one of its files is removed during the transfer', async () => {
    const whole = await askJson(location, path, [lastId])
    const response = await beginArchive([...large.slice(0, 2), lastId])
    // The kernel has buffered some of it, and the server waits before the end of the second file.
    await wait(100)
    rmSync(location.blobFile(hashOf(last)))
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    const [error] = await once(response, 'error')
    expect(error).toMatchObject({ code: 'ECONNRESET' })
    expect(response.complete).toBe(false)
    expect(testOf(Buffer.concat(chunks))).not.toBe(0)
    expect(testOf(whole.body)).toBe(0)
    expect((await askJson(location, path, [lastId])).status).toBe(404)
  })

  it.each([{}, [], [1], [null], 'id', null, [['id']]])('of %j is answered with 400', async (body) => {
    expect((await askJson(location, path, body)).status).toBe(400)
  })
})

/** 0 for a complete archive. Without `unzip`, the end record is checked. */
function testOf(bytes: Buffer): number | null {
  const file = join(location.folder, 'archive.zip')
  writeFileSync(file, bytes)
  if (hasUnzip) return testArchive(file).code
  return bytes.lastIndexOf('PK\x05\x06') === bytes.length - 22 ? 0 : 1
}

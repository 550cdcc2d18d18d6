import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { append, beginAppend, beginUpload, progressOf } from './append.ts'
import { ask } from './ask.ts'
import { faultsIn, hashOf, hashOfItem } from './look.ts'
import { Location } from './location.ts'

const MiB = 1024 ** 2

let location: Location
beforeAll(async () => {
  location = await new Location().open()
}, 60_000)
afterAll(() => location.close())

/** Starts an upload and kills the server while bytes are being sent. The server then runs again. */
async function killedWhileSending(bytes: Buffer): Promise<string> {
  const path = await beginUpload(location, bytes.length)
  const sending = beginAppend(location, path, { offset: 0, bytes: bytes.subarray(0, bytes.length - MiB) })
  await sending.reached(bytes.length / 2)
  await location.kill()
  await location.start()
  return path
}

describe('the lock of an upload whose server was killed', () => {
  it('is free at once: the sender can resume', async () => {
    const bytes = randomBytes(64 * MiB)
    const path = await killedWhileSending(bytes)
    const { offset } = await progressOf(location, path)
    expect(offset).toBeLessThan(bytes.length)
    const rest = await append(location, path, { offset, bytes: bytes.subarray(offset) })
    expect(rest.status).toBe(204)
    const { itemId } = await progressOf(location, path)
    expect(await hashOfItem(location, itemId ?? '')).toBe(hashOf(bytes))
  }, 60_000)

  it('is free at once for cancelling the upload', async () => {
    const path = await killedWhileSending(randomBytes(32 * MiB))
    const headers = { 'tus-resumable': '1.0.0' }
    expect((await ask(location, { method: 'DELETE', path, headers })).status).toBe(204)
    await location.server.stop()
    expect(faultsIn(location)).toEqual([])
  }, 60_000)
})

import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { beginAppend, beginUpload, finishUpload, freeOffset } from './append.ts'
import { countItems, filesIn, hashOf, hashOfItem } from './look.ts'
import { Location } from './location.ts'
import { openFiles } from './process.ts'

const cuts = Number(process.env['QUIRE_UPLOAD_CUTS'] ?? 100)
const cutsOfOne = 20
const uploadBytes = 16 * 1024 ** 2

let location: Location
beforeAll(async () => {
  location = await new Location().open()
})
afterAll(() => location.close())

/** The result of one cut. */
interface Cut {
  /**
   * Bytes that the kernel had accepted at the time of the cut, and bytes that the server had stored
   * afterwards.
   */
  readonly sent: number
  readonly stored: number
  /** Milliseconds until the next append was accepted. */
  readonly waited: number
}

/** Cuts an append somewhere: in its head, in its bytes, or after the last byte. */
async function cutOnce(path: string, bytes: Buffer, before: number): Promise<Cut> {
  const rest = bytes.subarray(before)
  // Small steps, so that an upload can be cut often.
  const end = Math.floor((Math.random() * rest.length * 2) / cutsOfOne)
  const appending = beginAppend(location, path, { offset: before, bytes: rest })
  await appending.reached(end)
  await wait(Math.random() * 3)
  const sent = before + appending.sent()
  const start = performance.now()
  appending.cut(Math.random() < 0.5 ? 'reset' : 'end')
  await appending.closed
  const stored = await freeOffset(location, path)
  return { sent, stored, waited: performance.now() - start }
}

it(
  `an upload can be resumed at once after each of ${cuts} cuts, and is complete`,
  { timeout: 120_000 },
  async () => {
    const openBefore = openFiles(location.pid).length
    const itemsBefore = await countItems(location)
    const all: Cut[] = []
    let uploads = 0
    while (all.length < cuts) {
      const bytes = randomBytes(uploadBytes)
      const path = await beginUpload(location, bytes.length)
      let offset = 0
      for (let count = 0; count < cutsOfOne && all.length < cuts && offset < bytes.length; count++) {
        const cut = await cutOnce(path, bytes, offset)
        // Bytes that the kernel accepted after the count may have been stored as well.
        expect(cut.stored).toBeGreaterThanOrEqual(offset)
        offset = cut.stored
        all.push(cut)
      }
      const { itemId } = await finishUpload(location, path, bytes)
      expect(await hashOfItem(location, itemId)).toBe(hashOf(bytes))
      uploads += 1
    }
    const waited = Math.max(...all.map((cut) => cut.waited))
    const lost = all.reduce((sum, { sent, stored }) => sum + Math.max(0, sent - stored), 0)
    console.log(
      `${all.length} cuts of ${uploads} uploads, waited at most ${waited.toFixed(0)} ms for the lock, ` +
        `${(lost / 1024).toFixed(0)} KiB to send again`,
    )
    expect(waited).toBeLessThan(2000)
    expect(await countItems(location)).toBe(itemsBefore + uploads)
    expect([filesIn(location, 'partial'), filesIn(location, 'temp')]).toEqual([[], []])
    await expect.poll(() => openFiles(location.pid).length, { timeout: 5000 }).toBeLessThanOrEqual(openBefore)
  },
)

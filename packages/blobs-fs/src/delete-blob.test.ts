import { mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLocks } from '@quire/core/ports'
import { deleteBlob } from './delete-blob.ts'
import { openFileBlobs } from './open-file-blobs.ts'
import { blobFile } from './paths.ts'
import { type Location, locationOf } from './location.ts'
import { putBlob } from './put-blob.ts'

/** Milliseconds: longer than removing or putting a few bytes takes. */
const whileMs = 100

let folder: string
let location: Location
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quire-delete-'))
  await openFileBlobs({ folder })
  location = locationOf({ folder })
})
afterEach(() => rmSync(folder, { recursive: true }))

async function* text(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('text')
}

describe('a removal', () => {
  it('of an old blob checks the age only after a running put of the same bytes', async () => {
    const { hash } = await putBlob(location, text())
    const file = blobFile(location.paths, hash)
    const longAgo = new Date(Date.now() - 60_000)
    utimesSync(file, longAgo, longAgo)
    const begun: Promise<unknown>[] = []
    await location.naming.alone(hash, async () => {
      begun.push(deleteBlob(location, hash, Date.now() - 30_000))
      await wait(whileMs)
      utimesSync(file, new Date(), new Date())
    })
    await Promise.all(begun)
    expect(statSync(file).size).toBe(4)
  })

  it('makes a put of the same bytes wait and then store its own', async () => {
    const { hash } = await putBlob(location, text())
    const file = blobFile(location.paths, hash)
    const begun: Promise<unknown>[] = []
    await location.naming.alone(hash, async () => {
      begun.push(putBlob(location, text()))
      await wait(whileMs)
      rmSync(file)
    })
    await Promise.all(begun)
    expect(statSync(file).size).toBe(4)
  })
})

describe('tasks with the same name', () => {
  it('run in order even if one fails, and in parallel with tasks of other names', async () => {
    const locks = createLocks()
    const done: string[] = []
    const work = async (what: string, ms: number) => {
      await wait(ms)
      done.push(what)
      if (what === 'first') throw new Error(what)
    }
    const first = locks.alone('a', () => work('first', 40))
    const others = [
      locks.alone('a', () => work('second', 0)),
      locks.alone('b', () => work('beside', 0)),
      locks.alone('a', () => work('third', 0)),
    ]
    await expect(first).rejects.toThrow('first')
    await Promise.all(others)
    expect(done).toEqual(['beside', 'first', 'second', 'third'])
  })
})

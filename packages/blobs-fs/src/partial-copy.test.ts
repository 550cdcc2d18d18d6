import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StoreConflict } from '@quire/core/ports'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFileBlobs } from './open-file-blobs.ts'
import { partialBlobs } from './partial-blobs.ts'
import { partialFile } from './paths.ts'
import { type Location, locationOf } from './location.ts'

const id = 'UPLD_01JXSC6G000000000000000001'

let folder: string
let location: Location
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quire-copy-'))
  await openFileBlobs({ folder })
  location = locationOf({ folder })
})
afterEach(() => rmSync(folder, { recursive: true }))

async function* text(value: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(value)
}

describe('an upload that is taken over', () => {
  it('stays in its file: its bytes are not copied', async () => {
    const file = partialFile(location.paths, id)
    const partials = partialBlobs(location)
    await partials.begin(id, 8)
    await partials.append(id, { offset: 0, bytes: text('text') })
    const { ino } = statSync(file)
    const afterCrash = partialBlobs(location)
    await afterCrash.append(id, { offset: 4, bytes: text('more'), takesOver: true })
    expect(statSync(file).ino).toBe(ino)
    expect(readFileSync(file, 'utf8')).toBe('textmore')
  })
})

describe('the copy of an upload that was finished', () => {
  it('replaces only the file that was copied', async () => {
    const file = partialFile(location.paths, id)
    const writing = partialBlobs(location)
    await writing.begin(id, 4)
    await writing.append(id, { offset: 0, bytes: text('text') })
    await writing.finish(id, 4)
    let isReplaced = false
    const replaceOnce = () => {
      if (isReplaced) return
      isReplaced = true
      copyFileSync(file, `${file}.new`)
      renameSync(`${file}.new`, file)
    }
    const { durability } = location
    const replacing = partialBlobs({
      ...location,
      durability: { ...durability, file: (handle) => durability.file(handle).then(replaceOnce) },
    })
    const more = () => ({ offset: 4, bytes: text('more') })
    await expect(replacing.append(id, more())).rejects.toThrow(StoreConflict)
    expect(readFileSync(file, 'utf8')).toBe('text')
    expect(await replacing.append(id, more())).toBe(8)
    expect(readFileSync(file, 'utf8')).toBe('textmore')
  })
})

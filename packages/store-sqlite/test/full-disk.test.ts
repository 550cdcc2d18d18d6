import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  fillDisk,
  fillWhole,
  freeDisk,
  mountSmall,
  unmount,
  whyNoMount,
} from '../../../test/uploads/small-disk.ts'
import { openSqliteStore } from '../src/open-store.ts'

const unmountable = whyNoMount()

let folder: string
let file: string
beforeEach(({ skip }) => {
  if (unmountable !== null) skip(unmountable)
  folder = mkdtempSync(join(tmpdir(), 'quire-disk-'))
  file = join(folder, 'quire.db')
  mountSmall(folder, 64)
})
afterEach(() => {
  if (unmountable !== null) return
  unmount(folder)
  rmSync(folder, { recursive: true })
})

const full = { name: 'StoreUnavailable', kind: 'full' }

/** Opens and closes a store, then fills its disk. */
async function closedFull(reservesSpace: boolean): Promise<void> {
  const store = await openSqliteStore({ file, reservesSpace })
  await store.transaction((tx) => tx.ephemera.put('kept', 'kept', 10))
  await store.requireRoom?.()
  await store.close()
  fillWhole(folder)
}

describe('a database on a disk without room', () => {
  it('can be opened, read and reduced with the reserved space', async () => {
    await closedFull(true)
    expect(existsSync(`${file}.reserve`)).toBe(true)
    const store = await openSqliteStore({ file, reservesSpace: true })
    expect(existsSync(`${file}.reserve`)).toBe(false)
    expect(await store.ephemera.get('kept', 0)).toBe('kept')
    await expect(store.requireRoom?.()).rejects.toMatchObject(full)
    expect(await store.transaction((tx) => tx.ephemera.take('kept', 0))).toBe('kept')
    freeDisk(folder)
    await store.requireRoom?.()
    expect(existsSync(`${file}.reserve`)).toBe(true)
    await store.close()
  })

  it('has its space reserved from the start, even when less than the minimum is free', async () => {
    const minFreeBytes = 64 * 1024 ** 2
    fillDisk(folder, 2 * 1024 ** 2)
    const store = await openSqliteStore({ file, reservesSpace: true, minFreeBytes })
    await expect(store.requireRoom?.()).rejects.toMatchObject(full)
    expect(existsSync(`${file}.reserve`)).toBe(true)
    await store.close()
  })

  it('is reported as full, not as failing, without reserved space', async () => {
    await closedFull(false)
    await expect(openSqliteStore({ file })).rejects.toMatchObject({
      ...full,
      message: expect.stringContaining('free space on its disk'),
    })
    freeDisk(folder)
    const store = await openSqliteStore({ file })
    expect(await store.ephemera.get('kept', 0)).toBe('kept')
    await store.close()
  })

  it('releases the reserved space when the disk fills up while it is open', async () => {
    const store = await openSqliteStore({ file, reservesSpace: true })
    await store.requireRoom?.()
    fillWhole(folder)
    const long = 'x'.repeat(500_000)
    const put = () => store.transaction((tx) => tx.ephemera.put('long', long, 10))
    await expect(put()).rejects.toMatchObject(full)
    expect(existsSync(`${file}.reserve`)).toBe(false)
    await store.transaction((tx) => tx.ephemera.put('short', 'x', 10))
    await store.close()
    expect(existsSync(`${file}.reserve`)).toBe(true)
  })
})

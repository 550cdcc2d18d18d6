import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { memorySecrets } from '@quire/core/memory'
import { expect, it } from 'vitest'
import { aFolder } from '../../test/cli.ts'
import { prepareDataFolder } from './data-folder.ts'
import { openServerKeys } from './server-key.ts'

it.each([32, 48, 64, 100])(
  'a key of %i bytes is one key, and stays in the ring after a rotation',
  async (length) => {
    const folder = await prepareDataFolder(aFolder())
    const key = new Uint8Array(length).fill(7)
    writeFileSync(join(folder.path, 'server.key'), key, { mode: 0o600 })
    const first = await openServerKeys(folder)
    expect(first.keys).toEqual([key])
    const secrets = memorySecrets(first)
    const sealed = await secrets.seal('kept', 'test')
    await secrets.rotate()
    await secrets.rotate()
    const later = await openServerKeys(folder)
    expect(later.keys).toHaveLength(3)
    expect(later.keys[2]).toEqual(key)
    expect(await memorySecrets(later).open(sealed, 'test')).toBe('kept')
  },
)

import { describe } from 'vitest'
import { appendLaws } from './appends.ts'
import { checksumLaws } from './checksums.ts'
import { damageLaws } from './damage.ts'
import { derivedLaws } from './derived.ts'
import { durableLaws } from './durable.ts'
import { finishLaws } from './finish.ts'
import { blobTest, type OpenBlobs } from './fixture.ts'
import { historyLaws } from './histories.ts'
import { storageLaws } from './storage-laws.ts'
import { nameLaws } from './names.ts'
import { putLaws } from './puts.ts'
import { rangeLaws } from './ranges.ts'
import { restartLaws } from './restart.ts'

export type { OpenBlobs, OpenedBlobs } from './fixture.ts'

const sections = [
  putLaws,
  rangeLaws,
  storageLaws,
  damageLaws,
  nameLaws,
  derivedLaws,
  appendLaws,
  durableLaws,
  checksumLaws,
  finishLaws,
  historyLaws,
  restartLaws,
]

/** Declares every law that all keepers of binaries must keep. `open` makes an empty one for each test. */
export function blobSuite(name: string, open: OpenBlobs): void {
  describe(`the binaries ${name}`, () => {
    const test = blobTest(open)
    for (const laws of sections) laws(test)
  })
}

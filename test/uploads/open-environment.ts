import { join } from 'node:path'
import { openFileBlobs } from '@quire/blobs-fs'
import type { Environment } from '@quire/core'
import {
  closedOutbound,
  fakeExtraction,
  fakeMedia,
  inlinePageDiffs,
  memorySecrets,
  randomIds,
  silentLog,
  systemClock,
} from '@quire/core/memory'
import type { Clock } from '@quire/core/ports'
import { openSqliteStore } from '@quire/store-sqlite'

/**
 * Opens the ports of an engine on a data folder in this process, for maintenance without a server.
 * The caller closes its store.
 */
export async function openEnvironment(data: string, clock: Clock = systemClock()): Promise<Environment> {
  return {
    store: await openSqliteStore({ file: join(data, 'quire.db') }),
    blobs: await openFileBlobs({ folder: join(data, 'blobs') }),
    media: fakeMedia(),
    extraction: fakeExtraction(),
    outbound: closedOutbound(),
    pageDiffs: inlinePageDiffs(),
    secrets: memorySecrets(),
    clock,
    ids: randomIds(clock),
    log: silentLog(),
    baseUrl: 'http://quire.test',
    signIn: null,
    trustedIssuers: [],
  }
}

import type { Environment } from './engine/environment.ts'
import {
  closedOutbound,
  fakeExtraction,
  fakeMedia,
  inlinePageDiffs,
  memoryBlobs,
  memorySecrets,
  randomIds,
  silentLog,
  systemClock,
} from './memory/index.ts'
import type { Store } from './ports/index.ts'

/** Every port: those that are given, and for the others what runs anywhere and needs nothing. */
export function wholeEnvironment(given: Partial<Environment> & { readonly store: Store }): Environment {
  const { store, clock = systemClock(), signIn = null, trustedIssuers = [], vitals, peers } = given
  const { redirectDownloads = false, renditionCacheBytes } = given
  return {
    ...stored(given, clock),
    ...withAdapters(given),
    store,
    clock,
    ids: given.ids ?? randomIds(clock),
    baseUrl: given.baseUrl ?? 'http://127.0.0.1:3000',
    signIn,
    trustedIssuers,
    redirectDownloads,
    ...(renditionCacheBytes !== undefined && { renditionCacheBytes }),
    ...(vitals && { vitals }),
    ...(peers && { peers }),
  }
}

/** What files and secrets stand on. */
function stored(given: Partial<Environment>, clock: Environment['clock']) {
  return {
    blobs: given.blobs ?? memoryBlobs(clock),
    media: given.media ?? fakeMedia(),
    extraction: given.extraction ?? fakeExtraction(),
    secrets: given.secrets ?? memorySecrets(),
  }
}

/** Who is told of what goes on. */
function withAdapters(given: Partial<Environment>) {
  return {
    outbound: given.outbound ?? closedOutbound(),
    log: given.log ?? silentLog(),
    pageDiffs: given.pageDiffs ?? inlinePageDiffs(),
  }
}

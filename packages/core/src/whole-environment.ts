import type { Environment } from './call/environment.ts'
import {
  closedOutbound,
  fakeExtraction,
  fakeMedia,
  inPlacePageDiffs,
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
  const { redirectDownloads = false } = given
  return {
    ...kept(given, clock),
    ...around(given),
    store,
    clock,
    ids: given.ids ?? randomIds(clock),
    baseUrl: given.baseUrl ?? 'http://127.0.0.1:3000',
    signIn,
    trustedIssuers,
    redirectDownloads,
    ...(vitals && { vitals }),
    ...(peers && { peers }),
  }
}

/** What files and secrets stand on. */
function kept(given: Partial<Environment>, clock: Environment['clock']) {
  return {
    blobs: given.blobs ?? memoryBlobs(clock),
    media: given.media ?? fakeMedia(),
    extraction: given.extraction ?? fakeExtraction(),
    secrets: given.secrets ?? memorySecrets(),
  }
}

/** Who is told of what goes on. */
function around(given: Partial<Environment>) {
  return {
    outbound: given.outbound ?? closedOutbound(),
    log: given.log ?? silentLog(),
    pageDiffs: given.pageDiffs ?? inPlacePageDiffs(),
  }
}

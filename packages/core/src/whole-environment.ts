import type { Environment } from './engine/environment.ts'
import { knownHooks } from './engine/hooks/hooks.ts'
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

/**
 * Completes the environment: uses the given ports, and for the others defaults that run anywhere.
 */
export function wholeEnvironment(given: Partial<Environment> & { readonly store: Store }): Environment {
  const { store, clock = systemClock(), signIn = null, trustedIssuers = [], vitals, peers, hooks } = given
  const { redirectDownloads = false, renditionCacheBytes } = given
  return {
    ...filePorts(given, clock),
    ...otherPorts(given),
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
    ...(hooks && { hooks: knownHooks(hooks) }),
  }
}

/** The ports for files and secrets. */
function filePorts(given: Partial<Environment>, clock: Environment['clock']) {
  return {
    blobs: given.blobs ?? memoryBlobs(clock),
    media: given.media ?? fakeMedia(),
    extraction: given.extraction ?? fakeExtraction(),
    secrets: given.secrets ?? memorySecrets(),
  }
}

/** The ports for outbound requests, the log and page diffs. */
function otherPorts(given: Partial<Environment>) {
  return {
    outbound: given.outbound ?? closedOutbound(),
    log: given.log ?? silentLog(),
    pageDiffs: given.pageDiffs ?? inlinePageDiffs(),
  }
}

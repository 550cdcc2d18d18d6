import type { Environment } from './call/environment.ts'
import {
  closedOutbound,
  fakeExtraction,
  fakeMedia,
  memoryBlobs,
  memorySecrets,
  randomIds,
  silentLog,
  systemClock,
} from './memory/index.ts'
import type { Store } from './ports/index.ts'

/** Every port: those that are given, and for the others what runs anywhere and needs nothing. */
export function wholeEnvironment(given: Partial<Environment> & { readonly store: Store }): Environment {
  const clock = given.clock ?? systemClock()
  return {
    store: given.store,
    blobs: given.blobs ?? memoryBlobs(clock),
    media: given.media ?? fakeMedia(),
    extraction: given.extraction ?? fakeExtraction(),
    outbound: given.outbound ?? closedOutbound(),
    clock,
    secrets: given.secrets ?? memorySecrets(),
    ids: given.ids ?? randomIds(clock),
    log: given.log ?? silentLog(),
    baseUrl: given.baseUrl ?? 'http://127.0.0.1:3000',
    signIn: given.signIn ?? null,
    trustedIssuers: given.trustedIssuers ?? [],
    ...(given.vitals && { vitals: given.vitals }),
  }
}

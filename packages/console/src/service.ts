import { createClient, isQuireError } from '@quire/client'
import { queryKey } from '@quire/client/query'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

/** The address of the service, below which this page is. */
export const serviceUrl = new URL('..', document.baseURI).href.replace(/\/$/, '')

/** The API, as the person whose session the browser holds. */
export const quire = createClient({ baseUrl: serviceUrl })

/** The options of a call that must not happen twice: the client sends it again when its answer is lost. */
export const sentOnce = () => ({ idempotencyKey: crypto.randomUUID() })

const whoAmI = queryKey('user.me', {})

/** Finds out again who is signed in, when a call says that nobody is: a session ends by itself. */
function noticeSignOut(error: unknown): void {
  // Who is signing in is still where they were.
  if (isSignedOut(error) && queries.getQueryData(whoAmI) !== undefined)
    void queries.invalidateQueries({ queryKey: whoAmI })
}

export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey: [, group, operation] }) => {
      if (group !== whoAmI[1] || operation !== whoAmI[2]) noticeSignOut(error)
    },
  }),
  mutationCache: new MutationCache({
    onError: noticeSignOut,
    // What was written may show anywhere.
    onSuccess: () => queries.invalidateQueries(),
  }),
  // Without a network, people see at once that something was not sent: what would wait for the network
  // would be lost with the tab.
  defaultOptions: {
    queries: { staleTime: 5000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

/** Whether an error says that nobody is signed in, or no longer. */
export function isSignedOut(error: unknown): boolean {
  return isQuireError(error) && error.code === 'unauthorized'
}

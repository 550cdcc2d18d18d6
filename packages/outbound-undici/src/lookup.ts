import { lookup } from 'node:dns/promises'

/** Resolves a name to all its addresses. Rejects when it has none. */
export type Lookup = (name: string) => Promise<readonly string[]>

/** Resolves as other programs on this machine do, with hosts file and search domains. */
export const systemLookup: Lookup = async (name) => {
  const found = await lookup(name, { all: true })
  return found.map(({ address }) => address)
}

/**
 * Shares one lookup per name among all waiting callers. A system lookup cannot be canceled and uses
 * up to half of libuv's threads. Without sharing, requests to a name whose DNS servers do not
 * respond would take all of these threads, even after they gave up waiting, and block every other
 * name.
 */
export function sharedLookup(look: Lookup): Lookup {
  const looking = new Map<string, Promise<readonly string[]>>()
  return (name) => {
    const begun = looking.get(name)
    if (begun) return begun
    const work = look(name).finally(() => looking.delete(name))
    looking.set(name, work)
    return work
  }
}

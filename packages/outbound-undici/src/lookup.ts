import { lookup } from 'node:dns/promises'

/** All addresses of a name. Rejects when it has none. */
export type Lookup = (name: string) => Promise<readonly string[]>

/** As other programs of this machine find it: hosts file, search domains and all. */
export const systemLookup: Lookup = async (name) => {
  const found = await lookup(name, { all: true })
  return found.map(({ address }) => address)
}

/**
 * One lookup of a name at a time, whoever waits for it. The system's cannot be called off, and libuv gives it half of its threads: a name
 * whose servers are silent would take all of them, and hold up every other name, with each request that gave up waiting.
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

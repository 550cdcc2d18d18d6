import type { Call } from './call.ts'
import { badCursor } from './paging.ts'

/**
 * A place in a list as an opaque cursor that only this service can read: for places that say more than their reader may know, such as the id
 * of what was passed over, or how much is written in other repositories.
 */
export async function sealCursor(call: Call, list: string, scope: unknown): Promise<string> {
  const text = JSON.stringify(scope)
  const padded = text.padEnd(Math.ceil(text.length / step) * step)
  return call.environment.secrets.seal(padded, purposeOf(list))
}

// What is sealed is as long as what it hides, and a number tells how large it is by its digits. At half, ids take two steps.
const step = 64

/** The place of such a cursor. Errors: `invalid` for what is no cursor of this list. */
export async function openCursor(call: Call, list: string, cursor: string): Promise<unknown> {
  try {
    return JSON.parse(await call.environment.secrets.open(cursor, purposeOf(list)))
  } catch {
    throw badCursor()
  }
}

function purposeOf(list: string): string {
  return `cursor:${list}`
}

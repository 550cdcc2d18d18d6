import type { ChangeSides } from './sides.ts'

/** A digest of the revisions of both sides of every change: it differs as soon as either side moved. */
export async function digestOf(changes: readonly ChangeSides[]): Promise<string> {
  const states = changes.map(
    ({ head, mainHead }) => `${head.kind} ${head.id} ${head.revision} ${mainHead?.revision ?? 0}`,
  )
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(states.join('\n')))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

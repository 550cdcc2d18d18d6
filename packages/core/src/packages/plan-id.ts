import { digest } from '../call/digest.ts'
import type { ChangeSides } from './sides.ts'

/** A digest of the revisions of both sides of every change: it differs as soon as either side moved. */
export function planIdOf(changes: readonly ChangeSides[]): Promise<string> {
  const states = changes.map(
    ({ head, mainHead }) => `${head.kind} ${head.id} ${head.revision} ${mainHead?.revision ?? 0}`,
  )
  return digest(states.join('\n'))
}

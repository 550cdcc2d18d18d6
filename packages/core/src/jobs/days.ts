import type { Call } from '../call/call.ts'

const dayMs = 24 * 60 * 60 * 1000

/** The time so many days before a call, in Unix ms. */
export function daysBefore({ now }: Call, days: number): number {
  return now - days * dayMs
}

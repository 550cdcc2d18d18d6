import type { Endpoint } from '@quire/contract'
import { createEventsDecoder } from '@quire/contract/events'
import type { HttpAnswer } from '../server/connection.ts'

/** The fault in the beginning of an event stream; undefined if there is none. */
export function faultOfEvents({ output }: Endpoint, { headers, body }: HttpAnswer): string | undefined {
  if (headers['content-type'] !== 'text/event-stream') return `events as ${headers['content-type']}`
  if (headers['cache-control'] !== 'no-store') return 'events that a cache may store'
  const text = body.toString()
  if (!text.startsWith('retry: 2000\n\n')) return 'events without a retry time'
  const [issue] = createEventsDecoder()(text).flatMap((value) => output.safeParse(value).error?.issues ?? [])
  return issue && `an event does not fit its schema: ${issue.path.join('.')}: ${issue.message}`
}

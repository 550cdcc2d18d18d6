import type { Endpoint } from '@quire/contract'
import { createEventsDecoder } from '@quire/contract/events'
import type { HttpAnswer } from '../server/connection.ts'

/** What is wrong with the beginning of a stream of events; undefined when nothing is. */
export function faultOfEvents({ output }: Endpoint, { headers, body }: HttpAnswer): string | undefined {
  if (headers['content-type'] !== 'text/event-stream') return `events as ${headers['content-type']}`
  if (headers['cache-control'] !== 'no-store') return 'events that a cache may keep'
  const text = body.toString()
  if (!text.startsWith('retry: 2000\n\n')) return 'events that do not say when to come back'
  const [issue] = createEventsDecoder()(text).flatMap((value) => output.safeParse(value).error?.issues ?? [])
  return issue && `an event does not fit its schema: ${issue.path.join('.')}: ${issue.message}`
}

import { answerGraphql, type Answer } from '@quire/core'
import { originOf } from '../callers/origin.ts'
import { callOptionsOf, requireOpened } from '../routing/call-options.ts'
import type { Match } from '../routing/find-route.ts'
import type { Caller } from './caller.ts'
import { waitsForOthers, withDeadline } from './deadline.ts'
import { readInput } from './request-input.ts'
import type { Serving } from './serving.ts'
import type { Answering } from './response.ts'
import type { IncomingRequest } from './transport.ts'

/** A request to an operation. */
interface Performing extends Caller {
  readonly incoming: IncomingRequest
  readonly found: Match
  readonly answering: Answering
}

/** Reads the input and runs the operation. Errors: those of both. */
export async function perform(
  { quire, options, limiter, readForm }: Serving,
  { incoming, found, answering, principal, counted, address }: Performing,
): Promise<Answer<unknown>> {
  const { header } = incoming
  const { group, operation, endpoint } = found.route.named
  if (endpoint.answer === 'redirect') requireOpened(header)
  const meter = limiter.meterOf(counted)
  const { input, signedText } = await readInput({
    ...found,
    incoming,
    search: answering.search,
    isAnonymous: principal.kind === 'anonymous',
    receiveMs: options.receiveMs ?? 30_000,
    readForm,
    received() {
      // Requests that arrive together are admitted together. By now the cost of the first ones is
      // known.
      const refused = limiter.refusal(counted)
      if (refused) throw refused
      meter.begin()
    },
  })
  const origin = originOf(header, { address, meter, signedText })
  const call = {
    ...callOptionsOf(endpoint, header, answering.requestId),
    ...(waitsForOthers(endpoint) && { signal: incoming.signal() }),
  }
  const cacheTags = answering.edge?.tags
  const run = () => quire.run({ group, operation, principal, input, options: call, origin, cacheTags })
  const running = endpoint.answer === 'graphql' ? answerGraphql(header('accept'), run) : run()
  return withDeadline(endpoint, running, options.answerMs)
}

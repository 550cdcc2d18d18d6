import { createParser } from 'eventsource-parser'

/**
 * Takes the next piece of a stream's text and returns the values of the events that are now
 * complete. Pieces can be cut anywhere.
 */
export type EventsDecoder = (piece: string) => unknown[]

/**
 * A decoder of one stream (Server-Sent Events, WHATWG HTML §9.2). Errors (of the decoder):
 * SyntaxError for data that is not JSON.
 */
export function createEventsDecoder(): EventsDecoder {
  let values: unknown[] = []
  const parser = createParser({ onEvent: ({ data }) => void values.push(JSON.parse(data)) })
  return (piece) => {
    parser.feed(piece)
    const whole = values
    values = []
    return whole
  }
}

import type { Exchange } from './engine.ts'

/** Bytes of the longest answer. */
const gibibyte = 1024 ** 3
const piece = Buffer.alloc(65_536, 'x')

/** Bytes of long answers that went into sockets. */
export interface Flood {
  sent: number
}

/** An engine that takes what it is asked and never says so. */
export function hang({ take }: Exchange): void {
  take()
}

/** An engine that fails before it takes anything. */
export function fail({ response }: Exchange): void {
  response.writeHead(500).end('<h1>Oh</h1>')
}

/** An engine that is elsewhere. */
export function redirectTo(url: string): (exchange: Exchange) => void {
  return ({ response }) => void response.writeHead(302, { location: url }).end()
}

/** An engine that takes it, and answers with something else than JSON. */
export function garble({ response, take }: Exchange): void {
  take()
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"currentStep":"legal"')
}

/** An engine that takes it, and answers with members of other types. */
export function lie({ response, take }: Exchange): void {
  take()
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end('{"currentStep":5,"status":["active"],"steps":"legal"}')
}

/** An engine that takes it, and hangs up in the middle of the answer. */
export function hangUp({ response, take }: Exchange): void {
  const answer = JSON.stringify(take())
  response.writeHead(200, { 'content-length': answer.length })
  response.write(answer.slice(0, 20), () => response.destroy())
}

/** An engine that takes it, and answers with a JSON text of 1 GiB. */
export function flood(counted: Flood): (exchange: Exchange) => void {
  return ({ response, take }) => {
    take()
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': gibibyte })
    const more = () => {
      if (response.destroyed || counted.sent >= gibibyte) return
      counted.sent += piece.length
      response.write(piece, () => setImmediate(more))
    }
    more()
  }
}

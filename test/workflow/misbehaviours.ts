import type { Exchange } from './engine.ts'

/** The size of the longest answer in bytes. */
const gibibyte = 1024 ** 3
const piece = Buffer.alloc(65_536, 'x')

/** Bytes of long answers that were accepted by sockets. */
export interface Flood {
  sent: number
}

/** Performs the action, but never answers. */
export function hang({ take }: Exchange): void {
  take()
}

/** Fails without performing the action. */
export function fail({ response }: Exchange): void {
  response.writeHead(500).end('<h1>Oh</h1>')
}

/** Redirects to another URL. */
export function redirectTo(url: string): (exchange: Exchange) => void {
  return ({ response }) => void response.writeHead(302, { location: url }).end()
}

/** Performs the action, and answers with something other than JSON. */
export function garble({ response, take }: Exchange): void {
  take()
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"currentStep":"legal"')
}

/** Performs the action, and answers with members of wrong types. */
export function lie({ response, take }: Exchange): void {
  take()
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end('{"currentStep":5,"status":["active"],"steps":"legal"}')
}

/** Performs the action, and disconnects in the middle of the answer. */
export function hangUp({ response, take }: Exchange): void {
  const answer = JSON.stringify(take())
  response.writeHead(200, { 'content-length': answer.length })
  response.write(answer.slice(0, 20), () => response.destroy())
}

/** Performs the action, and answers with a JSON text of 1 GiB. */
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

import { connect, type Socket } from 'node:net'
import type { Load, Measured } from './load.ts'

/** Sends the load that its parent gives it over raw keep-alive sockets, one request at a time on each, and answers what it measured. */
process.once('message', (load: Load) => {
  void measure(load).then((measured) => process.send?.(measured, () => process.exit(0)))
})

interface Tally {
  readonly times: number[]
  readonly statuses: Record<string, number>
  next: number
}

async function measure({ port, requests, connections, durationMs }: Load): Promise<Measured> {
  const tally: Tally = { times: [], statuses: {}, next: 0 }
  const buffers = requests.map((request) => Buffer.from(request))
  const started = performance.now()
  const until = started + durationMs
  const take = () => buffers[tally.next++ % buffers.length] ?? Buffer.alloc(0)
  await Promise.all(Array.from({ length: connections }, () => converse({ port, until, take }, tally)))
  const seconds = (performance.now() - started) / 1000
  const times = tally.times.toSorted((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
  return { rate: times.length / seconds, p50: at(0.5), p99: at(0.99), statuses: tally.statuses }
}

interface Conversation {
  readonly port: number
  readonly until: number
  readonly take: () => Buffer
}

function converse({ port, until, take }: Conversation, tally: Tally): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1').setNoDelay(true)
    const answers = answerReader()
    let sent = 0
    const send = () => {
      sent = performance.now()
      if (sent >= until) end(socket, resolve)
      else socket.write(take())
    }
    socket.once('connect', send)
    socket.once('error', reject)
    socket.on('data', (chunk: Buffer) => {
      const status = answers(chunk)
      if (status === null) return
      tally.times.push(performance.now() - sent)
      tally.statuses[status] = (tally.statuses[status] ?? 0) + 1
      send()
    })
  })
}

function end(socket: Socket, resolve: () => void): void {
  socket.destroy()
  resolve()
}

/** Gives the status of an answer once all of its bytes have come; they all say their length. */
function answerReader(): (chunk: Buffer) => string | null {
  let status = ''
  let missing = 0
  return (chunk) => {
    if (missing === 0) {
      const end = chunk.indexOf('\r\n\r\n')
      const head = chunk.toString('latin1', 0, end)
      status = head.slice(9, 12)
      missing = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    }
    missing -= chunk.length
    return missing === 0 ? status : null
  }
}

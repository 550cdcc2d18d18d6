import { connect, type Socket } from 'node:net'
import type { Load, Measured } from './load.ts'

/**
 * Runs the load that the parent process sends, over raw keep-alive sockets with one request at a
 * time on each, and reports the measurement.
 */
process.once('message', (load: Load) => {
  void measure(load).then((measured) => process.send?.(measured, () => process.exit(0)))
})

interface Tally {
  readonly times: number[]
  readonly statuses: Record<number, number>
  next: number
}

async function measure(load: Load): Promise<Measured> {
  const { requests, connections, durationMs, pauseMs = 0 } = load
  const ports = [load.port, ...(load.others ?? [])]
  const tally: Tally = { times: [], statuses: {}, next: 0 }
  const buffers = requests.map((request) => Buffer.from(request))
  const started = performance.now()
  let until = started + durationMs
  process.once('message', () => (until = performance.now()))
  const isOver = () => performance.now() >= until
  const take = () => buffers[tally.next++ % buffers.length] ?? Buffer.alloc(0)
  const portOf = (index: number) => ports[index % ports.length] ?? load.port
  await Promise.all(
    Array.from({ length: connections }, (_, index) =>
      converse({ port: portOf(index), isOver, take, pauseMs }, tally),
    ),
  )
  const seconds = (performance.now() - started) / 1000
  const times = Float64Array.from(tally.times).sort()
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
  return {
    rate: times.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
    max: times.at(-1) ?? Number.NaN,
    mean: times.reduce((sum, time) => sum + time, 0) / times.length,
    statuses: tally.statuses,
  }
}

interface Conversation {
  readonly port: number
  readonly isOver: () => boolean
  readonly take: () => Buffer
  readonly pauseMs: number
}

// The buffer size of one read. The largest answer here has about 80 KB and arrives in two or three
// reads.
const bufferSize = 65_536

/**
 * Sends one request after another until the time is over. Each socket reads into one buffer,
 * bypassing the stream. The generator must have time to spare, otherwise it would measure itself.
 */
function converse({ port, isOver, take, pauseMs }: Conversation, tally: Tally): Promise<void> {
  return new Promise((resolve, reject) => {
    const reader = createReader()
    let sent = 0
    const send = () => {
      sent = performance.now()
      if (isOver()) end(socket, resolve)
      else socket.write(take())
    }
    const read = (length: number, buffer: Uint8Array) => {
      const status = reader.read(buffer as Buffer, length)
      if (status === null) return true
      tally.times.push(performance.now() - sent)
      tally.statuses[status] = (tally.statuses[status] ?? 0) + 1
      if (pauseMs > 0) setTimeout(send, pauseMs)
      else send()
      return true
    }
    const onread = { buffer: Buffer.alloc(bufferSize), callback: read }
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread })
    socket.once('connect', send)
    socket.once('error', reject)
  })
}

function end(socket: Socket, resolve: () => void): void {
  socket.destroy()
  resolve()
}

interface Reader {
  /** Returns the status once all bytes of an answer have arrived; null before that. */
  read(buffer: Buffer, length: number): number | null
}

const digits = { zero: 48, nine: 57 }

/**
 * Reads answers. Every answer here has a content length, and its head (about a hundred bytes)
 * arrives in one read.
 */
function createReader(): Reader {
  let status = 0
  let missing = 0
  return {
    read(buffer, length) {
      if (missing === 0) {
        const headEnd = buffer.indexOf('\r\n\r\n')
        status = numberAt(buffer, 'HTTP/1.1 '.length)
        missing = headEnd + 4 + numberAt(buffer, lengthLocation(buffer))
      }
      missing -= length
      return missing === 0 ? status : null
    },
  }
}

function lengthLocation(buffer: Buffer): number {
  const name = 'ontent-length: '
  const small = buffer.indexOf(name)
  const location = small >= 0 ? small : buffer.indexOf('ontent-Length: ')
  if (location < 0) throw new Error('an answer has no content-length')
  return location + name.length
}

function numberAt(buffer: Buffer, location: number): number {
  let number = 0
  for (let index = location; ; index++) {
    const code = buffer[index] ?? 0
    if (code < digits.zero || code > digits.nine) return number
    number = number * 10 + code - digits.zero
  }
}

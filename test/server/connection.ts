import { connect, type Socket } from 'node:net'

/** A complete answer. */
export interface HttpAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The server closed the connection before the answer was complete, or did not accept it. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** There was no complete answer within the timeout. */
export class AnswerLate extends Error {
  override readonly name = 'AnswerLate'
}

/** One request as bytes. */
export interface Sending {
  readonly bytes: Buffer
  /** HEAD answers have a Content-Length, but no body. */
  readonly isHead?: boolean
  /** Milliseconds after which the answer is late. */
  readonly timeout: number
  /** Called once the operating system has the bytes. */
  readonly sending?: () => void
}

interface Waiting {
  readonly isHead: boolean
  resolve(answer: HttpAnswer): void
  reject(error: Error): void
}

/**
 * A keep-alive connection that sends bytes verbatim, well-formed or not, and reads one answer at a
 * time. It reconnects after the server has closed it. `fetch` would refuse half of a fuzz's
 * requests.
 */
export class Connection {
  readonly #host: string
  readonly #port: number
  #socket: Socket | undefined
  #received: Buffer = Buffer.alloc(0)
  #waiting: Waiting | undefined

  constructor(url: string) {
    const { hostname, port } = new URL(url)
    this.#host = hostname
    this.#port = Number(port)
  }

  /** Errors: ConnectionLost, AnswerLate. After either, the next request opens a new connection. */
  async send({ bytes, isHead = false, timeout, sending }: Sending): Promise<HttpAnswer> {
    const socket = await this.#connected()
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise<HttpAnswer>((resolve, reject) => {
        this.#waiting = { isHead, resolve, reject }
        timer = setTimeout(() => this.#fail(new AnswerLate(`no answer in ${timeout} ms`)), timeout)
        socket.write(bytes)
        sending?.()
      })
    } finally {
      clearTimeout(timer)
    }
  }

  /** Sends bytes that need no answer, and disconnects. */
  async abandon(bytes: Buffer): Promise<void> {
    const socket = await this.#connected()
    await new Promise<void>((resolve) => {
      socket.write(bytes, () => resolve())
    })
    this.close()
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  async #connected(): Promise<Socket> {
    if (this.#socket && !this.#socket.destroyed && this.#socket.writable) return this.#socket
    this.#received = Buffer.alloc(0)
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true })
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', (error) => reject(new ConnectionLost(error.message)))
    })
    socket.on('error', (error) => this.#lost(socket, error.message))
    socket.on('close', () => this.#lost(socket, 'closed'))
    return socket
  }

  #lost(socket: Socket, reason: string): void {
    if (this.#socket === socket) this.#fail(new ConnectionLost(`connection lost: ${reason}`))
  }

  #fail(error: Error): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    this.close()
    waiting?.reject(error)
  }

  #read(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const waiting = this.#waiting
    if (!waiting) return
    const read = readAnswer(this.#received, waiting.isHead)
    if (!read) return
    this.#received = this.#received.subarray(read.length)
    this.#waiting = undefined
    if (read.answer.headers['connection'] === 'close') this.close()
    waiting.resolve(read.answer)
  }
}

interface ReadAnswer {
  readonly answer: HttpAnswer
  /** The length of the answer in bytes. */
  readonly length: number
}

/** The first answer in the bytes; undefined while it is incomplete. */
function readAnswer(bytes: Buffer, isHead: boolean): ReadAnswer | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  const headers = headersOf(lines)
  const start = headEnd + 4
  if (status === 100) return afterContinue(bytes, start, isHead)
  if (isHead || status === 204 || status === 304) {
    return { answer: { status, headers, body: Buffer.alloc(0) }, length: start }
  }
  if (headers['content-type'] === 'text/event-stream') return readBegun(bytes, start, { status, headers })
  if (headers['transfer-encoding'] === 'chunked') return readChunked(bytes, start, { status, headers })
  const length = start + Number(headers['content-length'] ?? 0)
  if (bytes.length < length) return undefined
  return { answer: { status, headers, body: bytes.subarray(start, length) }, length }
}

/** Skips a 100 Continue before the answer. */
function afterContinue(bytes: Buffer, start: number, isHead: boolean): ReadAnswer | undefined {
  const read = readAnswer(bytes.subarray(start), isHead)
  return read && { ...read, length: start + read.length }
}

function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
}

/**
 * Event streams do not end, and nothing else uses their connection. So the bytes that arrived with
 * the head are the answer.
 */
function readBegun(bytes: Buffer, start: number, head: Omit<HttpAnswer, 'body'>): ReadAnswer | undefined {
  const end = bytes.lastIndexOf('\n\n\r\n')
  if (end < start) return undefined
  const whole = Buffer.concat([bytes.subarray(0, end + 4), Buffer.from('0\r\n\r\n')])
  return readChunked(whole, start, head)
}

function readChunked(bytes: Buffer, start: number, head: Omit<HttpAnswer, 'body'>): ReadAnswer | undefined {
  const chunks: Buffer[] = []
  let location = start
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', location)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(bytes.toString('latin1', location, lineEnd), 16)
    const end = lineEnd + 2 + size
    if (bytes.length < end + 2) return undefined
    if (size === 0) return { answer: { ...head, body: Buffer.concat(chunks) }, length: end + 2 }
    chunks.push(bytes.subarray(lineEnd + 2, end))
    location = end + 2
  }
}

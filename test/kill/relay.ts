import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { databaseUrl } from '../services/postgres.ts'

/** A connection through a relay. */
export interface Passage {
  readonly client: Socket
  readonly database: Socket
}

/** What a relay does with connections and bytes. By default it passes everything on. */
export interface RelayRule {
  /** Whether a new connection is accepted. If not, it is closed at once. */
  admits?(): boolean
  /** Whether the end of one side is passed on to the other. Default: true. */
  reportsEnds?(passage: Passage): boolean
  /** Bytes from the client. */
  forward?(passage: Passage, bytes: Buffer): void
  /** Bytes from the database. */
  back?(passage: Passage, bytes: Buffer): void
}

/** A proxy to the test database. */
export interface Relay {
  readonly url: string
  /** Breaks all connections. */
  breakOff(): void
  each(act: (passage: Passage) => void): void
  close(): Promise<void>
}

/** Listens on a port of this machine. */
export async function openRelay(rule: RelayRule): Promise<Relay> {
  const target = new URL(databaseUrl())
  const passages = new Set<Passage>()
  const server = createServer((client) => {
    if (rule.admits?.() === false) return client.destroy()
    const database = connect({ host: target.hostname, port: Number(target.port || 5432), noDelay: true })
    const passage = { client, database }
    passages.add(passage)
    client.on('data', (bytes) => (rule.forward ? rule.forward(passage, bytes) : void database.write(bytes)))
    database.on('data', (bytes) => (rule.back ? rule.back(passage, bytes) : void client.write(bytes)))
    for (const [one, other] of [[client, database] as const, [database, client] as const]) {
      one.on('error', () => undefined)
      one.on('close', () => {
        if (rule.reportsEnds?.(passage) === false) return
        other.destroy()
        passages.delete(passage)
      })
    }
    return undefined
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const breakOff = () => {
    for (const { client, database } of passages) {
      client.resetAndDestroy()
      database.destroy()
    }
  }
  return {
    url: Object.assign(new URL(databaseUrl()), { hostname: '127.0.0.1', port }).href,
    breakOff,
    each: (act) => passages.forEach(act),
    async close() {
      breakOff()
      server.close()
      await once(server, 'close')
    },
  }
}

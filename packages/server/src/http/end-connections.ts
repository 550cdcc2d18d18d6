import type { FastifyInstance } from 'fastify'
import type { Load } from '@quire/http/shared'

/** Milliseconds that requests under way have to finish when the server stops (TRUST F08). */
const longestMs = 10_000

// Milliseconds between the last response and closing the connections, for the kernel to send what
// is buffered.
const graceMs = 100

/**
 * Makes `app.close` complete. Node does not consider a connection idle before its first request, so
 * it would hold the server until its headers time out. Connections are closed once no request is
 * under way, and after ten seconds in any case.
 */
export function endConnections(app: FastifyInstance, load: Load): void {
  app.addHook('preClose', (done) => {
    const cut = () => app.server.closeAllConnections()
    const late = setTimeout(cut, longestMs)
    app.server.once('close', () => clearTimeout(late))
    void load.close().then(() => setTimeout(cut, graceMs))
    done()
  })
}

import type { FastifyInstance } from 'fastify'
import type { Load } from './load.ts'

/** What may be under way when the server stops has this long to end (TRUST F08). */
const longestMs = 10_000

// Between the last answer and the cut: what the kernel has not sent yet gets out.
const graceMs = 100

/**
 * Lets `app.close` end: a connection that has not sent a request yet is not idle to Node, and would hold the server until its
 * headers are late. Connections are cut once nothing is under way, and after ten seconds in any case.
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

import type { FastifyInstance } from 'fastify'
import type { Location } from '../commands/reserve-port.ts'
import { createReadiness } from '../http/health.ts'
import type { OpenedQuire } from '../open-quire.ts'
import { openManagement } from './listener.ts'
import { createMetrics } from './metrics.ts'
import { createTimings, timeRequests } from './request-timings.ts'

/** The service to manage. */
export interface Served {
  /** The app. It must not be ready yet. */
  readonly app: FastifyInstance
  readonly opened: OpenedQuire
}

/** The management of a service. */
export interface ServedManagement {
  readonly port: number
  /** Call it once the app listens: before that, `/readyz` answers `starting`. */
  begin(): void
  close(): Promise<void>
}

/**
 * Measures the requests of an app, and serves its metrics and health on a port of their own.
 * Errors: OperatorError naming the port.
 */
export async function serveManagement(
  location: Location,
  { app, opened }: Served,
): Promise<ServedManagement> {
  const { quire, store, folder } = opened
  const timings = createTimings()
  timeRequests(app, timings)
  const readiness = createReadiness(quire)
  app.addHook('preClose', async () => readiness.stop())
  let isListening = false
  const management = await openManagement(location, {
    ready: async () => (isListening ? readiness.word() : 'starting'),
    metrics: createMetrics({ store, load: app.load, timings, database: folder.database }),
  })
  return {
    port: management.port,
    close: () => management.close(),
    begin() {
      isListening = true
    },
  }
}

import { Readable } from 'node:stream'
import type { Quire } from '@quire/core'
import { createAdmission, type AdmissionOptions } from '../admission/admission.ts'
import type { Limiter } from '../admission/limiter.ts'
import { defaultLoadLimits, watchLoad, type LoadLimits } from '../admission/load.ts'
import type { ReadForm } from '../bodies/form-parts.ts'
import { readForm } from '../bodies/read-form.ts'
import { createHandler } from './handler.ts'
import type { FetchHandler, HandlerOptions } from './options.ts'

/** Options of `createFetchHandler`. */
export interface FetchHandlerOptions extends HandlerOptions, AdmissionOptions {
  /** When requests are refused because of overload. Default: as the service. */
  readonly load?: LoadLimits
}

/**
 * Creates a function from `Request` to `Response` for every operation of an engine, with the rates,
 * sessions and limits of the service. It needs no framework: `toNextJsHandler` and `toNodeHandler`
 * adapt it, and hosts such as Hono, Bun and Deno take it as it is. The host closes it before the
 * engine. Errors: `basePath` is not the end of the path of the engine's `baseUrl`.
 * @example
 * const handler = createFetchHandler(quire, { basePath: '/cms' })
 * app.all('/cms/*', (context) => handler(context.req.raw)) // Hono
 */
export function createFetchHandler(quire: Quire, options: FetchHandlerOptions = {}): FetchHandler {
  return createHandler(quire, options, {
    limiter: createLimiter(options),
    readForm: readStreamedForm,
    byteLength: (text) => Buffer.byteLength(text),
  })
}

function createLimiter(options: FetchHandlerOptions): Limiter {
  const load = watchLoad(options.load ?? defaultLoadLimits)
  const admission = createAdmission(options, load)
  return {
    ...admission,
    admit: () => load.admit(),
    refusal: (caller) => load.refusal(caller),
    meterOf: (caller) => load.time.meterOf(caller),
    close() {
      void load.close()
      admission.close()
    },
  }
}

const readStreamedForm: ReadForm = (route, { contentType, body }) =>
  readForm(route, { contentType, payload: Readable.from(body ?? [], { objectMode: false }), slots: atOnce })

/** Hosts share their thread in their own ways: no transfer waits here. */
const atOnce = { take: () => Promise.resolve() }

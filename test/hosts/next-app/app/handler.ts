import { createFetchHandler, onePerProcess, noRateLimits } from '@quire/http'
import { createHostEngine } from '../../engine.ts'

const origin = process.env['HOST_ORIGIN'] ?? 'http://127.0.0.1:3000'

/** The engine and the handler of a path, which every route module shares. */
export function hostAt(path: string) {
  return onePerProcess(`host ${path}`, async () => {
    const engine = await createHostEngine(`${origin}${path}`)
    const handler = createFetchHandler(engine.quire, {
      // Next.js leaves its own base path out of the URL of a request.
      ...(process.env['HOST_BASE_PATH'] && { basePath: '/' }),
      rates: noRateLimits,
      trustedOrigins: ['https://www.example.org'],
    })
    return { ...engine, handler }
  })
}

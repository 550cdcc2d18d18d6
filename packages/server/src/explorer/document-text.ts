import { setImmediate as nextLoop } from 'node:timers/promises'
import { serverVersion } from '../version.ts'

/**
 * The OpenAPI document as JSON text. Building it takes 150 ms. It is built on request only, and
 * yields to the event loop in between, so that it delays neither the start nor other requests.
 */
export async function openApiText(baseUrl: string): Promise<string> {
  const { openApiSteps } = await import('@quire/contract/openapi')
  const steps = openApiSteps({ baseUrl, version: serverVersion() })
  let step = steps.next()
  while (!step.done) {
    await nextLoop()
    step = steps.next()
  }
  return JSON.stringify(step.value)
}

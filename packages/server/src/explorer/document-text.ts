import { setImmediate as nextLoop } from 'node:timers/promises'
import { serverVersion } from '../version.ts'

/** The OpenAPI document as JSON text. Made when it is asked for, with turns for others: 150 ms that no start and no request should wait for. */
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

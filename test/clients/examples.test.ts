import { afterAll, beforeAll, expect, it } from 'vitest'
import { startDemo, type DemoService } from './demo.ts'
import { exampleRequests, type ExampleRequest, type ServedDocument } from './example-requests.ts'

let service: DemoService

beforeAll(async () => {
  service = await startDemo()
}, 60_000)

afterAll(() => service.stop())

/** The status, with the message of an error. Does not read the body of a success: it may be a stream. */
async function answerTo({ target, headers }: ExampleRequest): Promise<{ status: number; message: string }> {
  const authorization = `Bearer ${service.token}`
  const init: RequestInit = { headers: { ...headers, authorization }, redirect: 'manual' }
  const response = await fetch(`${service.url}${target}`, init)
  if (response.status >= 400) return { status: response.status, message: await response.text() }
  await response.body?.cancel()
  return { status: response.status, message: '' }
}

it('the examples of each GET of the document are accepted by the demo, also those of optional parameters', async () => {
  const answer = await fetch(`${service.url}/api-docs/openapi.json`)
  const requests = exampleRequests((await answer.json()) as ServedDocument)
  expect(requests.length).toBeGreaterThan(150)
  const answered = []
  for (const request of requests) answered.push({ ...request, ...(await answerTo(request)) })
  // The ids of the examples are made up: 404. The demo has no locales, so it has no translations.
  const isPossible = ({ target }: ExampleRequest) => !target.startsWith('/api/translations/')
  expect(answered.filter((one) => isPossible(one) && one.status >= 400 && one.status !== 404)).toEqual([])
  expect(answered.filter(({ status }) => status === 200).length).toBeGreaterThan(50)
}, 60_000)

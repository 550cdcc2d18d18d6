import type { IncomingMessage } from 'node:http'
import type { Instances } from './instances.ts'
import { ActionMessage, StartMessage } from './messages.ts'
import { Refusal } from './refusal.ts'
import { rememberAnswers, type Answer } from './remember-answers.ts'
import { parseMessage, readText, requireToken } from './requests.ts'

export type Respond = (request: IncomingMessage) => Promise<Answer>

export interface RoutesOptions {
  readonly instances: Instances
  readonly token: string
  /** **Errors**: 400, callbacks must not go there. */
  readonly requireCallbackUrl: (url: string) => void
}

/**
 * `POST /start/{processKey}` and `POST /instances/{id}/actions`. Rejections are answered, not
 * thrown.
 */
export function createRoutes({ instances, token, requireCallbackUrl }: RoutesOptions): Respond {
  const once = rememberAnswers()
  const perform = async (path: string, text: string): Promise<Answer> => {
    const [, processKey] = /^\/start\/([^/]+)$/.exec(path) ?? []
    if (processKey !== undefined) {
      const message = parseMessage(text, StartMessage)
      requireCallbackUrl(message.statusCallbackUrl)
      return { status: 201, body: await instances.start(processKey, message) }
    }
    const [, id] = /^\/instances\/([^/]+)\/actions$/.exec(path) ?? []
    if (id === undefined) throw new Refusal(404, `There is no route for ${path}.`)
    return { status: 200, body: await instances.act(id, parseMessage(text, ActionMessage)) }
  }
  return (request) =>
    answering(async () => {
      requireToken(request, token)
      if (request.method !== 'POST') throw new Refusal(405, 'Use POST.')
      const text = await readText(request)
      const { pathname } = new URL(request.url ?? '/', 'http://localhost')
      const work = () => answering(() => perform(pathname, text))
      const key = request.headers['idempotency-key']
      return typeof key === 'string' ? once({ key, request: `${pathname}\n${text}` }, work) : work()
    })
}

async function answering(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, body: { message: error.message } }
    throw error
  }
}

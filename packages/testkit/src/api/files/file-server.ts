import type { FakeAnswer } from '@quire/core/memory'
import { OutboundFailure, type OutboundAnswer } from '@quire/core/ports'
import { specimens } from '../../media/specimens.ts'

/** The origin of the suite's file server. A fake: nothing is sent. */
export const fileServer = 'https://files.example.com'

/** The origins that the suite's repositories name. The file server also answers for others. */
export const fetchOrigins = [fileServer, 'https://*.cdn.example.com']

/** Whether the file server answers for an origin. */
export function isFileServer(origin: string): boolean {
  return /^https:\/\/(?:files|other|[\w.]+\.cdn)\.example\.com$/.test(origin)
}

const waiting: (() => void)[] = []

/** Answers all requests for `/held`. Returns how many there were. */
export function releaseHeld(): number {
  const released = waiting.splice(0)
  for (const release of released) release()
  return released.length
}

/**
 * Answers as the first part of the path says. `png/…` is a picture; `text/20` has 20 characters, and
 * no length in its headers; `to` redirects to the query.
 */
export const answerOfFileServer: FakeAnswer = async (request) => {
  const { pathname, search } = new URL(request.url)
  const [, what = '', how = ''] = pathname.split('/')
  return (await ways[what]?.({ how, search })) ?? answered(404, 'no such file')
}

interface FileRequest {
  readonly how: string
  /** With its question mark. */
  readonly search: string
}

const ways: Readonly<Record<string, (request: FileRequest) => OutboundAnswer | Promise<OutboundAnswer>>> = {
  png: picture,
  html: () => answered(200, '<!doctype html><title>Sign in</title>', [['content-type', 'image/png']]),
  empty: () => answered(200, ''),
  text: ({ how }) => answered(200, 'x'.repeat(Number(how))),
  named: async ({ search }) => {
    const named = ['content-disposition', decodeURIComponent(search.slice(1))] as const
    const { headers, ...answer } = await picture()
    return { ...answer, headers: [...headers, named] }
  },
  status: ({ how }) => answered(Number(how), 'a secret of the server'),
  to: ({ search }) => redirected(decodeURIComponent(search.slice(1))),
  hops: ({ how }) => redirected(how === '1' ? '/png/hopped.png' : `/hops/${Number(how) - 1}`),
  nowhere: () => answered(302, ''),
  says: ({ how }) => answered(200, '', [['content-length', how]]),
  packed: () => answered(200, 'packed', [['content-encoding', 'gzip']]),
  held: () =>
    new Promise((resolve) => {
      waiting.push(() => resolve(answered(200, 'released')))
    }),
  down: () => {
    throw new OutboundFailure('unreachable', 'The host does not answer.')
  },
  late: () => {
    throw new OutboundFailure('timeout', 'It took too long.')
  },
}

async function picture(): Promise<OutboundAnswer> {
  const body = Uint8Array.from(await specimens.png())
  return { ...answered(200, '', [['content-length', String(body.length)]]), body }
}

function redirected(location: string): OutboundAnswer {
  return answered(302, 'moved', [['location', location]])
}

function answered(status: number, text: string, headers: OutboundAnswer['headers'] = []): OutboundAnswer {
  return { status, headers, body: new TextEncoder().encode(text), isCut: false }
}

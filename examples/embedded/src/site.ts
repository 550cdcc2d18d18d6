import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { QuireError, type Api } from '@quire/contract'
import { createQuire, type Quire } from '@quire/core'
import { openSqliteStore } from '@quire/store-sqlite'
import { prepareContent, publishedArticle, publishedArticles, websiteReader } from './content.ts'
import { articlePage, homePage } from './pages.ts'

/** A website with its own content engine. */
export interface Site {
  readonly server: Server
  readonly quire: Quire
  /** Closes both. */
  close(): Promise<void>
}

/**
 * Opens the engine on a SQLite file and creates a web server that reads from it. Call
 * `server.listen` to start it.
 */
export async function openSite({ file }: { file: string }): Promise<Site> {
  const quire = createQuire({ store: await openSqliteStore({ file }) })
  await prepareContent(quire)
  const api = quire.as(await websiteReader(quire))
  const server = createServer((request, response) => void serve(api, request, response))
  const close = async () => {
    await new Promise((resolve) => server.close(resolve))
    await quire.close()
  }
  return { server, quire, close }
}

async function serve(api: Api, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, html } = await answer(api, request.url ?? '/')
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html)
}

interface Answer {
  readonly status: number
  readonly html: string
}

async function answer(api: Api, path: string): Promise<Answer> {
  try {
    const slug = path.slice(1)
    const html =
      slug === '' ? homePage(await publishedArticles(api)) : articlePage(await publishedArticle(api, slug))
    return { status: 200, html }
  } catch (error) {
    // The REST API would return the same error with the same status.
    const status = error instanceof QuireError ? error.status : 500
    return { status, html: `<!doctype html><h1>${status}</h1>` }
  }
}

import { randomUUID } from 'node:crypto'
import { createReadStream, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import { fastify } from 'fastify'
import { exportJWK, generateKeyPair, importJWK, jwtVerify, SignJWT } from 'jose'
import { destination, pino } from 'pino'

/**
 * The baseline that Quire is compared with: Fastify and better-sqlite3 with one prepared statement
 * per route. It sends the stored JSON unchanged and makes the same token check (EdDSA, verified
 * once and cached until the token expires). It validates nothing and checks no permissions. With
 * `--log` it writes the log line and sends the headers that Quire does, without it neither.
 * The bench starts it with its database file and, optionally, a folder of files to stream. It
 * reports its port and a token to the parent process.
 */
const { values, positionals } = parseArgs({ options: { log: { type: 'string' } }, allowPositionals: true })
const [file = '', files] = positionals
const database = new Database(file)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.pragma('cache_size = -65536')

const bySlug = database.prepare<[string], string>('SELECT body FROM items WHERE slug = ?').pluck()
const smallByCategory = database
  .prepare<[string], string>('SELECT small FROM items WHERE category = ? ORDER BY updated DESC LIMIT 25')
  .pluck()
const byCategory = database
  .prepare<[string], string>('SELECT body FROM items WHERE category = ? ORDER BY updated DESC LIMIT 25')
  .pluck()
const countOf = database.prepare<[string], number>('SELECT count(*) FROM items WHERE category = ?').pluck()
const insert = database.prepare(
  'INSERT INTO items (slug, category, updated, body, small) VALUES (?, ?, ?, ?, ?)',
)

const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true })
const key = await importJWK(await exportJWK(publicKey), 'EdDSA')
const token = await new SignJWT({})
  .setProtectedHeader({ alg: 'EdDSA' })
  .setSubject('bench')
  .setIssuedAt()
  .setExpirationTime('1h')
  .sign(privateKey)
const verified = new Map<string, number>()

async function requireToken(authorization = ''): Promise<void> {
  const text = authorization.slice(7)
  if ((verified.get(text) ?? 0) > Date.now() / 1000) return
  const { payload } = await jwtVerify(text, key, { algorithms: ['EdDSA'] })
  verified.set(text, payload.exp ?? 0)
}

const app = fastify({ logger: false, genReqId: values.log === undefined ? () => '' : () => randomUUID() })
app.addHook('onRequest', (request) => requireToken(request.headers.authorization))
if (values.log !== undefined) addLog(values.log)
app.get<{ Params: { slug: string } }>('/items/slug/:slug', (request, reply) =>
  reply.type('application/json').send(bySlug.get(request.params.slug)),
)
app.get<{ Querystring: { category: string; select?: string } }>('/items', (request, reply) => {
  const { category, select } = request.query
  const rows = (select === undefined ? byCategory : smallByCategory).all(category)
  const text = `{"count":${countOf.get(category)},"items":[${rows.join(',')}]}`
  return reply.type('application/json').send(text)
})
app.post<{ Body: { slug: string; fields: { category: string } } }>('/items', (request, reply) => {
  const text = JSON.stringify(request.body)
  insert.run(request.body.slug, request.body.fields.category, Date.now(), text, '')
  return reply.code(201).type('application/json').send(text)
})
const sizes = new Map(files === undefined ? [] : readdirSync(files).map((name) => [name, sizeOf(name)]))
app.get<{ Params: { name: string } }>('/files/:name', (request, reply) => {
  const { name } = request.params
  return reply
    .type(name.endsWith('.webp') ? 'image/webp' : 'application/octet-stream')
    .header('content-length', sizes.get(name))
    .send(createReadStream(join(files ?? '', name)))
})
const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ port: Number(new URL(url).port), token })
process.on('disconnect', () => process.exit(0))

function sizeOf(name: string): number {
  return statSync(join(files ?? '', name)).size
}

/** What every answer of Quire has: a log line, a request id and the headers of a private answer. */
function addLog(path: string): void {
  const options = { base: null, formatters: { level: (level: string) => ({ level }) }, messageKey: 'event' }
  const log = pino(
    { ...options, timestamp: () => `,"time":"${new Date().toISOString()}"` },
    destination({ dest: path, sync: false, minLength: 4096 }),
  )
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      vary: 'Authorization, Cookie, Accept-Encoding',
      'x-request-id': request.id,
      'cache-control': 'private, no-cache',
      etag: '"CONT_01M8A3MB6JEF7CG45S00G4BZ7A.2"',
    })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { method, id: requestId, routeOptions } = request
    const { statusCode: status, elapsedTime } = reply
    const ms = Math.round(elapsedTime * 100) / 100
    log.info(
      {
        method,
        route: routeOptions.url,
        status,
        ms,
        requestId,
        principal: 'SVCA_01M8A3MAEWHFN1KKDA1S2FR0FQ',
      },
      'request',
    )
    done()
  })
}

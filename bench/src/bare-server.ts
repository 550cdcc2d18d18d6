import { createReadStream, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { fastify } from 'fastify'
import { exportJWK, generateKeyPair, importJWK, jwtVerify, SignJWT } from 'jose'

/**
 * The baseline that Quire is compared with: Fastify and better-sqlite3 with one prepared statement
 * per route. It sends the stored JSON unchanged and makes the same token check (EdDSA, verified
 * once and cached until the token expires). It validates nothing, checks no permissions and logs
 * nothing.
 * The bench starts it with its database file and, optionally, a folder of files to stream. It
 * reports its port and a token to the parent process.
 */
const [, , file = '', files] = process.argv
const database = new Database(file)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.pragma('cache_size = -65536')

const bySlug = database.prepare<[string], string>('SELECT body FROM items WHERE slug = ?').pluck()
const byCategory = database
  .prepare<[string], string>('SELECT body FROM items WHERE category = ? ORDER BY updated DESC LIMIT 25')
  .pluck()
const countOf = database.prepare<[string], number>('SELECT count(*) FROM items WHERE category = ?').pluck()
const insert = database.prepare('INSERT INTO items (slug, category, updated, body) VALUES (?, ?, ?, ?)')

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

const app = fastify({ logger: false })
app.addHook('onRequest', (request) => requireToken(request.headers.authorization))
app.get<{ Params: { slug: string } }>('/items/slug/:slug', (request, reply) =>
  reply.type('application/json').send(bySlug.get(request.params.slug)),
)
app.get<{ Querystring: { category: string } }>('/items', (request, reply) => {
  const { category } = request.query
  const text = `{"count":${countOf.get(category)},"items":[${byCategory.all(category).join(',')}]}`
  return reply.type('application/json').send(text)
})
app.post<{ Body: { slug: string; fields: { category: string } } }>('/items', (request, reply) => {
  const text = JSON.stringify(request.body)
  insert.run(request.body.slug, request.body.fields.category, Date.now(), text)
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

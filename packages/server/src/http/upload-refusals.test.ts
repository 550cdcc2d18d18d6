import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveAssets, type AssetServing } from '../../test/asset-serving.ts'
import { bytesType, tus, uploadRequests, type UploadHeaders } from '../../test/upload-requests.ts'

let server: AssetServing
beforeAll(async () => {
  server = await serveAssets()
})
afterAll(() => server.close())

const length = 8 * 1024 * 1024

/**
 * The response to a client that sends everything before it reads. Errors: those of the connection.
 */
function answerTo(head: string, headers: UploadHeaders): Promise<string> {
  const { hostname, port } = new URL(server.baseUrl)
  const given = { host: 'quire.test', 'content-length': String(length), ...headers }
  const lines = Object.entries(given).map((line) => line.join(': '))
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
    socket.write(`${head}\r\n${lines.join('\r\n')}\r\n\r\n`)
    socket.write(Buffer.alloc(length), () => {
      socket.on('data', (chunk) => {
        answer += chunk.toString('latin1')
        // The server must close the other kind.
        if (headers['connection'] === 'keep-alive') socket.end()
      })
    })
  })
}

const authorized = () => ({ authorization: `Bearer ${server.token}` })

describe.each(['close', 'keep-alive'])('a refusal on a connection with %s', (connection) => {
  it.each(['1.1', '1.0'])('of an append reaches a client that is still sending HTTP/%s', async (version) => {
    const url = await uploadRequests(server).begun(length)
    const headers = { ...tus, ...bytesType, ...authorized(), 'upload-offset': '7', connection }
    const answer = await answerTo(`PATCH ${url} HTTP/${version}`, headers)
    expect(answer).toMatch(/^HTTP\/1\.1 409 [^]*"offset_conflict"/)
  })

  it('of more bytes than announced reaches the client, and affects nothing else', async () => {
    const text = (value: string) => Buffer.from(value).toString('base64')
    const metadata = `repositoryId ${text('magazine')}`
    const headers = { ...tus, ...bytesType, ...authorized(), 'upload-length': '0', connection }
    const answer = await answerTo('POST /api/items/upload HTTP/1.1', {
      ...headers,
      'upload-metadata': metadata,
    })
    expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*"too_large"/)
    expect((await server.fetch('/api/items/magazine')).status).toBe(200)
  })

  it('of a form reaches a client that is still sending', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x', connection }
    const answer = await answerTo('POST /api/assets/nowhere HTTP/1.1', headers)
    expect(answer).toMatch(/^HTTP\/1\.1 401 [^]*"unauthorized"/)
  })

  it('of a file reaches a client that is still sending', async () => {
    const headers = { 'content-type': 'image/png', ...authorized(), connection }
    const answer = await answerTo('PUT /api/assets/magazine/CONT_nothing/content HTTP/1.1', headers)
    expect(answer).toMatch(/^HTTP\/1\.1 404 [^]*"not_found"/)
  })
})

import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { failure } from '../test/failure.ts'
import { aRawSink, aRequest, aSink } from '../test/sink.ts'
import { undiciOutbound } from './undici-outbound.ts'

const allow = ['127.0.0.1']

describe('a connection', () => {
  it('is reused for one request after another', async () => {
    const sink = await aSink()
    const outbound = undiciOutbound({ allow })
    for (let n = 0; n < 20; n += 1)
      await outbound.send(aRequest(`${sink.url}/${n}`, { method: 'POST', body: 'x' }))
    expect([sink.hits.length, sink.connections()]).toEqual([20, 1])
    await outbound.close()
  })

  it('is one of at most 32 to an origin, and other requests wait', async () => {
    let most = 0
    let under = 0
    const sink = await aSink((_, response) => {
      under += 1
      most = Math.max(most, under)
      setTimeout(() => {
        under -= 1
        response.end()
      }, 200)
    })
    const outbound = undiciOutbound({ allow })
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => outbound.send(aRequest(sink.url, { connectMs: 60 }))),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200))
    expect([most, sink.connections()]).toEqual([32, 32])
    await outbound.close()
  })

  it('to one origin does not wait for another origin', async () => {
    const deaf = await aRawSink((socket) => socket.resume())
    const sink = await aSink()
    const outbound = undiciOutbound({ allow })
    const hang = (totalMs: number) => failure(outbound.send(aRequest(deaf.url, { totalMs })))
    const hanging = Array.from({ length: 40 }, (_, n) => hang(n < 32 ? 1_000 : 600))
    const began = performance.now()
    expect((await outbound.send(aRequest(sink.url))).status).toBe(200)
    expect(performance.now() - began).toBeLessThan(500)
    const problems = (await Promise.all(hanging)).map(({ problem }) => problem)
    expect(new Set(problems)).toEqual(new Set(['timeout']))
    expect(deaf.connections()).toBe(32)
    // Failed requests have released their slots.
    await Promise.all([hang(200), hang(200), hang(200)])
    expect(deaf.connections()).toBe(35)
  })

  it('is opened again when the server closed the idle one', async () => {
    const sink = await aRawSink((socket) =>
      socket.on('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
        setTimeout(() => socket.end(), 10)
      }),
    )
    const outbound = undiciOutbound({ allow })
    for (let n = 0; n < 5; n += 1) {
      expect((await outbound.send(aRequest(sink.url, { method: 'POST' }))).status).toBe(200)
      await sleep(30)
    }
    expect(sink.connections()).toBe(5)
  })

  it('is not reused when the server says so', async () => {
    const sink = await aSink((_, response) => response.writeHead(200, { connection: 'close' }).end('ok'))
    const outbound = undiciOutbound({ allow })
    for (let n = 0; n < 3; n += 1) expect((await outbound.send(aRequest(sink.url))).status).toBe(200)
    expect(sink.connections()).toBe(3)
    await expect.poll(() => sink.open()).toBe(0)
  })

  it('that is idle is closed after a few seconds, whatever the server says', async () => {
    const sink = await aRawSink((socket) =>
      socket.on('data', () =>
        socket.write('HTTP/1.1 200 OK\r\nkeep-alive: timeout=600\r\ncontent-length: 0\r\n\r\n'),
      ),
    )
    const outbound = undiciOutbound({ allow })
    await outbound.send(aRequest(sink.url))
    await sleep(1_000)
    expect(sink.open()).toBe(1)
    await expect.poll(() => sink.open(), { timeout: 6_000 }).toBe(0)
    expect((await outbound.send(aRequest(sink.url))).status).toBe(200)
  })

  it('that is reused needs no new lookup, and a new one does', async () => {
    const sink = await aSink()
    const asked: string[] = []
    const outbound = undiciOutbound({
      allow,
      lookup: async (name) => {
        asked.push(name)
        return ['127.0.0.1']
      },
    })
    const url = `http://public.example:${sink.port}`
    await outbound.send(aRequest(url))
    await outbound.send(aRequest(url))
    expect(asked).toEqual(['public.example'])
    await Promise.all([outbound.send(aRequest(url)), outbound.send(aRequest(url))])
    expect(asked).toEqual(['public.example', 'public.example'])
  })
})

describe('the end', () => {
  it('of the process is not delayed by an idle connection', async () => {
    const sink = await aSink((_, response) => response.end('ok'))
    const program = `
      import { undiciOutbound } from ${JSON.stringify(new URL('./undici-outbound.ts', import.meta.url).href)}
      const outbound = undiciOutbound({ allow: ['127.0.0.1'] })
      const { status } = await outbound.send({ url: ${JSON.stringify(sink.url)}, method: 'GET', headers: [], body: null,
        connectMs: 3000, totalMs: 60000, maxAnswerBytes: 100 })
      const answered = performance.now()
      process.on('exit', () => process.stdout.write(status + ' ' + (performance.now() - answered)))`
    const { stdout, code } = await run(program)
    const [status, ms] = stdout.split(' ')
    expect([status, code]).toEqual(['200', 0])
    // An idle connection stays open for 4 s, a timer of the request would run for 60 s.
    expect(Number(ms)).toBeLessThan(2_000)
  })

  it('closes idle and busy connections, and refuses new requests', async () => {
    const deaf = await aRawSink((socket) => socket.resume())
    const sink = await aSink()
    const outbound = undiciOutbound({ allow })
    await outbound.send(aRequest(sink.url))
    const hanging = failure(outbound.send(aRequest(deaf.url)))
    await expect.poll(() => deaf.open()).toBe(1)
    await outbound.close()
    expect(await hanging).toMatchObject({ problem: 'aborted', message: 'Outbound requests are closed.' })
    await expect.poll(() => [sink.open(), deaf.open()]).toEqual([0, 0])
    expect(await failure(outbound.send(aRequest(sink.url)))).toMatchObject({ problem: 'aborted' })
    expect(sink.connections()).toBe(1)
    await outbound.close()
  })
})

/** Runs a program without blocking the thread of its sink. */
function run(program: string): Promise<{ stdout: string; code: number }> {
  const args = ['--conditions=quire-source', '--input-type=module-typescript', '--eval', program]
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, (_, stdout) =>
      resolve({ stdout, code: child.exitCode ?? -1 }),
    )
  })
}

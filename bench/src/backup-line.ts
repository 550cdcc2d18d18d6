import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ratioLine, sendSound, type Figure } from './compare.ts'
import { fillQuire } from './databases.ts'
import { newArticle } from './limit-lines.ts'
import { cli, request, startQuire, stopServer } from './servers.ts'

/** The rate of eight writers while a backup is taken, relative to their rate without one. */
export async function backupLine(
  folder: string,
  { rounds, items, durationMs }: { rounds: number; items: number; durationMs: number },
): Promise<Figure> {
  const data = await fillQuire(folder, items)
  const server = await startQuire(data)
  const write = async (ms: number) => {
    const requests = [request(server, 'POST /api/items', newArticle)]
    return (await sendSound({ port: server.port, requests, connections: 8, durationMs: ms })).rate
  }
  try {
    await write(durationMs)
    const ratios: number[] = []
    for (let round = 0; round < rounds; round++) {
      const alone = await write(durationMs)
      const during = await whileBackup(data, join(folder, `backup-${round}`), () => write(1000))
      ratios.push(during / alone)
    }
    return ratioLine('rate of writers while a backup is taken', ratios, {
      target: 0.9,
      bound: 'atLeast',
      detail: `${items} items and what is written meanwhile, on SQLite`,
    })
  } finally {
    await stopServer(server)
  }
}

/** The mean of what `measure` returns until a backup has ended. */
async function whileBackup(data: string, to: string, measure: () => Promise<number>): Promise<number> {
  const child = spawn(process.execPath, [cli, 'backup', to, '--data', data], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const found: number[] = []
  while (child.exitCode === null) found.push(await measure())
  const [code] = await ended
  if (code !== 0) throw new Error(`the backup ended with ${code}`)
  return found.reduce((sum, one) => sum + one, 0) / found.length
}

/** A sampled function. */
export interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string }
  /** Ids of the functions that it called. */
  readonly children?: readonly number[]
}

/** A CPU profile in V8's format. */
export interface Profile {
  readonly nodes: readonly ProfileNode[]
  readonly samples: readonly number[]
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[]
}

interface Answer {
  readonly id?: number
  readonly result?: { readonly profile?: Profile }
}

// Microseconds between samples.
const interval = 200

/** Profiles a process that was started with `--inspect`, only while `work` runs. */
export async function profileDuring(inspectorUrl: string, work: () => Promise<unknown>): Promise<Profile> {
  const socket = new WebSocket(inspectorUrl)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', reject, { once: true })
  })
  const call = caller(socket)
  await call('Profiler.enable')
  await call('Profiler.setSamplingInterval', { interval })
  await call('Profiler.start')
  await work()
  const { profile } = await call('Profiler.stop')
  socket.close()
  if (!profile) throw new Error('the profiler returned no profile')
  return profile
}

type Call = (method: string, params?: object) => Promise<NonNullable<Answer['result']>>

function caller(socket: WebSocket): Call {
  let last = 0
  return (method, params = {}) => {
    const id = ++last
    return new Promise((resolve) => {
      const listen = ({ data }: MessageEvent) => {
        const answer: Answer = JSON.parse(String(data))
        if (answer.id !== id) return
        socket.removeEventListener('message', listen)
        resolve(answer.result ?? {})
      }
      socket.addEventListener('message', listen)
      socket.send(JSON.stringify({ id, method, params }))
    })
  }
}

import { agentsOnMain, dangerousHoldings, dangerousKeys, type DangerousHolding } from '@quire/core'
import type { RecordKind, RecordKinds, RecordReader, Stored } from '@quire/core/ports'
import { note, ok, type Check } from './finding.ts'
import type { Reader } from './reader.ts'

/** Milliseconds after which an unused secret is reported. */
const unusedMs = 90 * 24 * 60 * 60_000

/**
 * Reports who has dangerous permissions and why, which agents can change main, which repositories are
 * public, and which secrets seem unused.
 */
export async function checkSecurity(reader: Reader, now = Date.now()): Promise<Check[]> {
  try {
    const records = recordsOf(reader)
    const holdings = await dangerousHoldings(records, now)
    return [
      ...dangerousKeys.flatMap((key) => checkKey(key, holdings)),
      ...(await checkAgents(records, now)),
      await checkPublic(records),
      ...(await checkSecrets(reader, records, now)),
    ]
  } finally {
    await reader.close()
  }
}

function checkKey(key: string, holdings: readonly DangerousHolding[]): Check[] {
  const ways = holdings.filter((holding) => holding.key === key)
  return ways.length === 0 ? [ok(key, 'nobody')] : ways.map((way) => note(key, wayOf(way)))
}

function wayOf({ account, on, role, via, source }: DangerousHolding): string {
  const by = role === null ? source : `${source} of role "${role}"`
  const through = via.length === 0 ? '' : ` through ${via.map((name) => `"${name}"`).join(', in ')}`
  return `${account.kind} ${account.id} ("${account.name}") ${on}: ${by}${through}`
}

/** Names are all that tells agents from other accounts as long as they are not limited. */
async function checkAgents(records: RecordReader, now: number): Promise<Check[]> {
  const agents = await agentsOnMain(records, now)
  if (agents.length === 0) return [ok('agents', 'no account that is called an agent can change main')]
  return agents.map(({ id, name }) =>
    note('agent', `service ${id} ("${name}") can change main: consider setting branchOnly on the account`),
  )
}

async function checkPublic(records: RecordReader): Promise<Check> {
  const open = (await records.list('repository')).filter((repository) => repository.public)
  const names = open.map(({ name }) => name).join(', ')
  return open.length === 0
    ? ok('public', 'no repository can be read without a token')
    : note('public', `published content can be read without a token in: ${names}`)
}

async function checkSecrets(reader: Reader, records: RecordReader, now: number): Promise<Check[]> {
  const uses = await reader.all("SELECT key, value FROM ephemera WHERE key LIKE 'secret-use:%'")
  const lastUses = new Map(uses.map(({ key, value }) => [key, Number(value)]))
  const lastUse = (id: string) => lastUses.get(`secret-use:${id}`) ?? 0
  const idle = (await records.list('serviceAccount')).flatMap(({ id, name, enabled, secrets }) =>
    secrets
      .filter((secret) => enabled && Math.max(lastUse(secret.id), secret.createdDate) + unusedMs < now)
      .map((secret) =>
        note('secret', `${secret.id} of ${id} ("${name}") issued no token for 90 days: consider removing it`),
      ),
  )
  return idle.length > 0 ? idle : [ok('secrets', 'every secret was used or created in the last 90 days')]
}

/** Reads the records that the reports need. */
function recordsOf(reader: Reader): RecordReader {
  const read = async <K extends RecordKind>(kind: K): Promise<readonly Stored<K>[]> => {
    const rows = await reader.all('SELECT data, revision FROM records WHERE kind = $1 ORDER BY id', kind)
    return rows.map(({ data, revision }) => {
      const record: RecordKinds[K] = JSON.parse(String(data))
      return { ...record, revision: Number(revision) }
    })
  }
  const lists = new Map<RecordKind, unknown>()
  const list = async <K extends RecordKind>(kind: K): Promise<readonly Stored<K>[]> => {
    // Each key holds records of its kind.
    const stored = (lists.get(kind) as readonly Stored<K>[] | undefined) ?? (await read(kind))
    lists.set(kind, stored)
    return stored
  }
  return {
    list,
    get: async (kind, id) => (await list(kind)).find((record) => record.id === id) ?? null,
    find: async () => null,
    generation: () => 0,
  }
}

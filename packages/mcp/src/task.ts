import { QuireError, type Package } from '@quire/contract'
import type { ToolCall } from './tool.ts'

/** The package of a task, and whether this call made it. */
export interface TaskPackage {
  readonly packageName: string
  readonly isNew: boolean
}

/**
 * The package that a task writes into: the one that it names, made if there is none yet; otherwise a
 * new one, `agent/<account>/<date>-<number>`. Errors: those of making a package.
 */
export async function taskPackage(
  call: ToolCall,
  { repository: repo, packageName }: { repository: string; packageName?: string | undefined },
): Promise<TaskPackage> {
  const { api, options } = call
  if (packageName === undefined) return newTask(call, repo)
  try {
    await api.packages.get({ repo, packageName }, options)
    return { packageName, isNew: false }
  } catch (error) {
    if (!isRefusal(error, 'not_found')) throw error
  }
  const { name } = await api.packages.create({ repo, name: packageName }, options)
  return { packageName: name, isNew: true }
}

async function newTask(call: ToolCall, repo: string): Promise<TaskPackage> {
  const { identity } = await call.api.auth.myPermissions({}, call.options)
  const name = segmentOf(identity.name) || segmentOf(identity.id)
  try {
    return await nextTask(call, { repo, name, agent: identity.id })
  } catch (error) {
    if (!isRefusal(error, 'invalid')) throw error
    // The account is named like a word of the API: `merge`.
    return nextTask(call, { repo, name: `${name}-agent`, agent: identity.id })
  }
}

async function nextTask(
  call: ToolCall,
  { repo, name, agent }: { repo: string; name: string; agent: string },
): Promise<TaskPackage> {
  const prefix = `agent/${name}/${new Date().toISOString().slice(0, 10)}-`
  const taken = await numbersOf(call, { repo, prefix, agent })
  return firstFree(call, { repo, prefix, number: Math.max(0, ...taken) + 1 })
}

/** Other calls may make the package of the same number at the same time. */
async function firstFree(
  call: ToolCall,
  { repo, prefix, number }: { repo: string; prefix: string; number: number },
): Promise<TaskPackage> {
  try {
    const { name } = await call.api.packages.create({ repo, name: `${prefix}${number}` }, call.options)
    return { packageName: name, isNew: true }
  } catch (error) {
    if (!isRefusal(error, 'name_taken')) throw error
    return firstFree(call, { repo, prefix, number: number + 1 })
  }
}

async function numbersOf(
  { api, options }: ToolCall,
  { repo, prefix, agent }: { repo: string; prefix: string; agent: string },
): Promise<readonly number[]> {
  const numbers: number[] = []
  let cursor: string | undefined
  do {
    const page = await api.packages.list({ repo, agent, limit: 1000, cursor }, options)
    const own = page.items.filter(({ name }: Package) => name.startsWith(prefix))
    numbers.push(...own.map(({ name }: Package) => Number.parseInt(name.slice(prefix.length), 10) || 0))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return numbers
}

/** A text as a segment of a package's name: letters and digits of any script with single dashes. */
function segmentOf(text: string): string {
  const words =
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? []
  return words.join('-').slice(0, 60)
}

function isRefusal(error: unknown, code: QuireError['code']): boolean {
  return error instanceof QuireError && error.code === code
}

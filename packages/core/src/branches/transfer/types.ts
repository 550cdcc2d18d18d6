import { ExportedType, parseAs, QuireError } from '@quire/contract'
import { requireValidType } from '../../content/types/definition.ts'
import { requirePermission, type Call } from '../../engine/call.ts'
import { isRefusal } from '../../engine/errors.ts'
import type { Memo } from '../../engine/shared.ts'
import type { Stored } from '../../ports/index.ts'
import { linesOf, type Archive } from './archive.ts'
import { jsonOf } from './content.ts'
import type { Intake } from './incoming.ts'

/**
 * The content types of a file that do not exist here. A type that exists stays as it is, even if it
 * differs: the items are checked against it. Refuses a type that cannot be created.
 */
export async function newTypes(
  call: Call,
  archive: Archive,
  { refuse }: Intake,
): Promise<readonly ExportedType[]> {
  const created: ExportedType[] = []
  for await (const { at, text } of linesOf(archive, 'types/type')) {
    const no = (path: string, message: string) => refuse({ at, id: null, path, message })
    const parsed = parseAs(ExportedType, jsonOf(text))
    if ('issues' in parsed) {
      for (const { path, message } of parsed.issues) no(path, message)
      continue
    }
    const type = parsed.value
    if (await call.store.records.find('type', `name:${type.name}`)) continue
    const problem = await problemOf(call, type)
    if (problem) no(problem.path, problem.message)
    else created.push(type)
  }
  return created
}

async function problemOf(call: Call, type: ExportedType): Promise<{ path: string; message: string } | null> {
  try {
    requirePermission(call, 'admin.types.update')
    await requireValidType(type)
    return null
  } catch (error) {
    if (!(error instanceof QuireError) || !isRefusal(error)) throw error
    return error.issues?.[0] ?? { path: '', message: error.message }
  }
}

/** A call that finds content types as if they had been created, for a plan. */
export function withTypes(call: Call, types: readonly ExportedType[]): Call {
  const planned = new Map(types.map((type) => [`type:${type.name}`, asStored(type)]))
  const get: Memo['get'] = (records, key, compute) => {
    const type = planned.get(key)
    // The key says that it is a type.
    return type ? (Promise.resolve(type) as ReturnType<typeof compute>) : call.memo.get(records, key, compute)
  }
  return { ...call, memo: { ...call.memo, get } }
}

function asStored(type: ExportedType): Stored<'type'> {
  return { ...type, id: '', isLocked: false, createdDate: 0, updatedDate: 0, revision: 0 }
}

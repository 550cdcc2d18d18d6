import {
  exportFormat,
  ExportedHistory,
  ExportManifest,
  parseAs,
  type Contract,
  type ImportRefusal,
  type ParsedOf,
} from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { mainOf, type Scope } from '../../engine/scope.ts'
import { branchKinds } from '../packages/kinds.ts'
import { refKey } from '../packages/sides.ts'
import { badFile, linesOf, textOf, type Archive } from './archive.ts'
import { jsonOf } from './content.ts'
import type { Intake } from './incoming.ts'

/** The input of an import. */
export type ImportInput = ParsedOf<Contract['repositories']['import']>

/** Changes, refusals and conflicts that a plan lists. */
export const mostListed = 1000

/** What was refused. */
interface Refusals {
  count: number
  readonly first: ImportRefusal[]
}

/** A file that is being imported. */
export interface OpenedFile {
  readonly scope: Scope
  readonly input: ImportInput
  readonly archive: Archive
  readonly manifest: ExportManifest
  /** By `refKey`; an entity that was never changed has none. */
  readonly history: ReadonlyMap<string, ExportedHistory>
  readonly intake: Intake
  readonly refused: Refusals
}

/** Opens a file. Errors: `invalid` if it is no export, of a newer format, or cannot be pruned by. */
export async function openFile(
  call: Call,
  scope: Scope,
  { archive, input }: { archive: Archive; input: ImportInput },
): Promise<OpenedFile> {
  const manifest = await manifestOf(archive)
  if (input.prune) requirePrunable(manifest)
  const refused: Refusals = { count: 0, first: [] }
  const intake: Intake = {
    scope: mainOf(scope),
    files: { archive, verified: new Set() },
    roles: await rolesHere(call, manifest, input.roles),
    locales: manifest.locales,
    isOfPackage: manifest.extent === 'package',
    roleNames: new Map(Object.entries(manifest.roles)),
    refuse: (refusal) => {
      refused.count += 1
      if (refused.first.length < mostListed) refused.first.push(refusal)
    },
  }
  return { scope, input, archive, manifest, history: await historyOf(archive), intake, refused }
}

/** Errors: `invalid`. */
async function manifestOf(archive: Archive): Promise<ExportManifest> {
  const text = await textOf(archive, 'manifest.json')
  if (text === null) throw badFile('it has no manifest.json, so it is no export of Quire')
  const parsed = parseAs(ExportManifest, jsonOf(text))
  if ('issues' in parsed) {
    const [{ path, message } = { path: '', message: 'is not valid' }] = parsed.issues
    throw badFile(`manifest.json: ${path} ${message}`)
  }
  const { version } = parsed.value
  if (Number(version.split('.')[0]) <= exportFormat.major) return parsed.value
  throw badFile(`it has the format ${version}, and this Quire reads ${exportFormat.major}: use a newer one`)
}

/** Errors: `invalid`. */
function requirePrunable({ extent, folderId, complete }: ExportManifest): void {
  if (!complete) throw badFile('it is not complete, so nothing can be pruned by it')
  if (extent !== 'repository' && folderId === undefined)
    throw badFile(`it covers only a ${extent}, so nothing can be pruned by it`)
}

/** The role to use here for each role id of the file: as mapped, or with the same id. */
async function rolesHere(
  { store }: Call,
  { roles }: ExportManifest,
  mapped: ImportInput['roles'],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  const given = new Map(Object.entries(mapped))
  for (const id of new Set([...Object.keys(roles), ...given.keys()])) {
    const here = given.get(id) ?? id
    if (await store.records.get('role', here)) found.set(id, here)
  }
  return found
}

/** Where the entities come from, by `refKey`. Errors: `invalid`. */
async function historyOf(archive: Archive): Promise<ReadonlyMap<string, ExportedHistory>> {
  const history = new Map<string, ExportedHistory>()
  for (const { kind } of branchKinds)
    for await (const { at, text } of linesOf(archive, `history/${kind}`)) {
      const parsed = parseAs(ExportedHistory, jsonOf(text))
      if ('issues' in parsed) throw badFile(`${at} is not valid`)
      history.set(refKey(parsed.value), parsed.value)
    }
  return history
}

import {
  limits,
  type Contract,
  type ParsedOf,
  type QuireError,
  type TranslationsReport,
} from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { invalid, unfitProblem } from '../../engine/check-input.ts'
import { dryRun } from '../../engine/dry-run.ts'
import { requireRefusal } from '../../engine/errors.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { textOfFile } from '../../engine/file-text.ts'
import { findScope, requireOpen, type Scope } from '../../engine/scope.ts'
import { takeImportSlot } from '../../engine/take-slots.ts'
import { findItem } from '../items/find.ts'
import type { Entity } from '../../ports/index.ts'
import { typeOf } from '../types/find.ts'
import { translatedLocales } from './list.ts'
import { cut, readXliff, type XliffUnit } from './read-xliff.ts'
import { statesIn, type StatedTranslation } from './stamps.ts'
import { writeTranslations } from './write.ts'
import { fingerprint, type XliffHeader } from './write-xliff.ts'

type Import = Contract['translations']['import']
type Input = ParsedOf<Import>
type Report = TranslationsReport

// Refused units that a report lists.
const mostListed = 1000

// Attempts to write an item without the texts that it refuses. One error names only the first 20.
const mostAttempts = 10

/**
 * Writes the translations of an XLIFF file into a package, each item as one version. What cannot be
 * written is reported by unit, and keeps no other from being written. Errors: `not_found`;
 * `invalid_state` for a package that is closed; `invalid` for a file that is not XLIFF 2.1 or 2.2, or
 * of other locales; `too_large`; `too_many_requests`.
 */
export async function importTranslations(call: Call, input: Input): Promise<Report> {
  const scope = await findScope(call, input)
  requireOpen(scope.package)
  // A file is in memory as a whole.
  const release = takeImportSlot(call)
  try {
    return await importInto(call, scope, input)
  } finally {
    release()
  }
}

async function importInto(call: Call, scope: Scope, { file, dryRun: isDry }: Input): Promise<Report> {
  const text = await textOfFile(file, { most: limits.xliffBytes, what: 'XLIFF files' })
  const { header, units } = await readXliff(text)
  await requireLocales(call, scope, header)
  const report: Report = { items: 0, translated: 0, confirmed: 0, unchanged: 0, refuse: 0, refused: [] }
  const yieldToLoop = yieldingToLoop()
  // If-Match names one revision, so it cannot apply to many items.
  const each: Call = { ...call, ifMatch: undefined }
  for (const [itemId, ofItem] of Map.groupBy(units, (unit) => unit.itemId)) {
    call.signal?.throwIfAborted()
    const item = { scope, itemId, units: ofItem, locale: header.targetLocale }
    addTo(report, await outcomeOf(each, item, isDry))
    await yieldToLoop()
  }
  return report
}

async function outcomeOf(call: Call, item: ItemToImport, isDry: boolean): Promise<ItemOutcome> {
  try {
    return await (isDry ? dryRun(call, (call) => importItem(call, item)) : importItem(call, item))
  } catch (error) {
    const { message } = requireRefusal(error, call.requestId)
    const refused = item.units.map((unit) => refusal(unit, message))
    return { translated: 0, confirmed: 0, unchanged: 0, refused }
  }
}

/** Errors: `invalid`. */
async function requireLocales(call: Call, scope: Scope, header: XliffHeader): Promise<void> {
  const { source, codes } = await translatedLocales(call, scope, undefined)
  const [sourceLocale, targetLocale] = [cut(header.sourceLocale), cut(header.targetLocale)]
  const problem =
    sourceLocale !== source
      ? `has the source language "${sourceLocale}", but the default locale is "${source}"`
      : codes.includes(targetLocale)
        ? null
        : `has the target language "${targetLocale}", which is none of ${codes.join(', ')}`
  if (problem !== null) throw invalid([{ path: 'file', message: problem }])
}

type Refused = Report['refused'][number]

interface ItemOutcome {
  readonly translated: number
  readonly confirmed: number
  readonly unchanged: number
  readonly refused: Report['refused']
}

function addTo(report: Report, { translated, confirmed, unchanged, refused }: ItemOutcome): void {
  report.items += Number(translated + confirmed > 0)
  report.translated += translated
  report.confirmed += confirmed
  report.unchanged += unchanged
  report.refuse += refused.length
  report.refused.push(...refused.slice(0, mostListed - report.refused.length))
}

function refusal({ itemId, path, startsAt: line }: XliffUnit, message: string): Refused {
  return { itemId: cut(itemId), path: cut(path), line, message }
}

interface ItemToImport {
  readonly scope: Scope
  readonly itemId: string
  readonly units: readonly XliffUnit[]
  readonly locale: string
}

async function importItem(call: Call, { scope, itemId, units, locale }: ItemToImport): Promise<ItemOutcome> {
  const head = await findItem(call, scope, itemId)
  const states = statesIn(await typeOf(call, head), head, locale)
  const translations = new Map(states.map((one) => [one.path, one]))
  const { toWrite, toConfirm, unchanged, refused } = unitsByDeed(units, translations)
  const target = { head, packageName: scope.package?.name ?? '', locale }
  // Before the texts: these become a version, into which others' changes are merged.
  const unconfirmed = await confirmUnits(call, target, toConfirm)
  const unwritten = await writeUnits(call, target, toWrite)
  return {
    translated: toWrite.length - unwritten.length,
    confirmed: toConfirm.length - unconfirmed.length,
    unchanged,
    refused: [...refused, ...unconfirmed, ...unwritten].toSorted((a, b) => a.line - b.line),
  }
}

/** A unit with a translation. */
interface TranslatedUnit extends XliffUnit {
  readonly target: string
}

/** Units by what is to be done with them. */
interface UnitsByDeed {
  readonly toWrite: readonly TranslatedUnit[]
  /** With outdated translations that somebody has looked at and left as they are. */
  readonly toConfirm: readonly XliffUnit[]
  readonly unchanged: number
  readonly refused: readonly Refused[]
}

function unitsByDeed(
  units: readonly XliffUnit[],
  translations: ReadonlyMap<string, StatedTranslation>,
): UnitsByDeed {
  const refused: Refused[] = []
  const toWrite: TranslatedUnit[] = []
  const toConfirm: XliffUnit[] = []
  const byPath = new Map<string, XliffUnit>()
  let unchanged = 0
  for (const unit of units) {
    const { path, target, isWorkedOn } = unit
    const translation = translations.get(path)
    const problem = problemOf(unit, translation, byPath.get(path))
    byPath.set(path, byPath.get(path) ?? unit)
    if (problem !== null) refused.push(refusal(unit, problem))
    else if (unit.exported === fingerprint(target)) unchanged += 1
    else if (target !== null && target !== translation?.value) toWrite.push({ ...unit, target })
    else if (target !== null && isWorkedOn && translation?.state === 'outdated') toConfirm.push(unit)
    else unchanged += 1
  }
  return { toWrite, toConfirm, unchanged, refused }
}

function problemOf(
  { source, target, exported }: XliffUnit,
  translation: StatedTranslation | undefined,
  earlier: XliffUnit | undefined,
): string | null {
  if (earlier) return `the file has another unit for this text in line ${earlier.startsAt}`
  if (!translation) return 'the item has no text to translate at this path'
  if (translation.source !== source) return 'the source has changed since the file was made'
  const { value } = translation
  const isOther = exported !== null && exported !== fingerprint(typeof value === 'string' ? value : null)
  if (isOther && exported !== fingerprint(target) && target !== value)
    return 'the translation has changed since the file was made'
  return unfitProblem(target)
}

interface TargetItem {
  readonly head: Entity
  readonly packageName: string
  readonly locale: string
}

/** Confirms translations, if the item has not changed since its head was read. Returns those refused. */
async function confirmUnits(
  call: Call,
  { head, packageName, locale }: TargetItem,
  units: readonly XliffUnit[],
): Promise<Refused[]> {
  const refused: Refused[] = []
  for (let at = 0; at < units.length; at += limits.inList) {
    const some = units.slice(at, at + limits.inList)
    const input = { configId: head.repositoryId, packageName, itemId: head.id, locale }
    const paths = some.map(({ path }) => path)
    try {
      await call.invoke('translations.confirm', { ...input, paths, baseVersion: head.version })
    } catch (error) {
      const { message } = requireRefusal(error, call.requestId)
      refused.push(...some.map((unit) => refusal(unit, message)))
    }
  }
  return refused
}

/** Writes texts as one version, without those that the item refuses. Returns these. */
async function writeUnits(
  call: Call,
  target: TargetItem,
  units: readonly TranslatedUnit[],
): Promise<Refused[]> {
  const refused: Refused[] = []
  let left = units
  for (let attempt = 1; left.length > 0; attempt += 1) {
    const error = await refusalOf(call, target, left)
    if (!error) break
    const messages = messagesByPath(error, target.locale)
    const isLast = attempt === mostAttempts || !left.some(({ path }) => messages.has(path))
    const isRefused = ({ path }: XliffUnit) => isLast || messages.has(path)
    const dropped = left.filter(isRefused)
    refused.push(...dropped.map((unit) => refusal(unit, messages.get(unit.path) ?? error.message)))
    left = left.filter((unit) => !isRefused(unit))
  }
  return refused
}

/** Writes texts, all or none. Returns why they are refused, or null. */
async function refusalOf(
  call: Call,
  target: TargetItem,
  units: readonly TranslatedUnit[],
): Promise<QuireError | null> {
  try {
    const values = new Map(units.map((unit) => [unit.path, unit.target]))
    await writeTranslations(call, { ...target, values })
    return null
  } catch (error) {
    return requireRefusal(error, call.requestId)
  }
}

/** What an error says about values in a locale, by the paths of their texts. */
function messagesByPath(
  { message, issues = [], conflicts = [], details }: QuireError,
  locale: string,
): ReadonlyMap<string, string> {
  const paths = [...conflicts.map(({ path }) => path), details?.['path']]
  const named = paths.flatMap((path) => (typeof path === 'string' ? [{ path, message }] : []))
  const end = `.${locale}`
  const ofLocale = [...named, ...issues].filter(({ path }) => path.endsWith(end))
  return new Map(ofLocale.map(({ path, message }) => [path.slice(0, -end.length), message]))
}

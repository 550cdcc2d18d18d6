import { limits, type Contract, type ParsedOf, type TranslationsReport } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { dryRun } from '../../engine/dry-run.ts'
import { requireRefusal } from '../../engine/errors.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { textOfFile } from '../../engine/file-text.ts'
import { findScope, requireOpen, type Scope } from '../../engine/scope.ts'
import { takeImportSlot } from '../../engine/take-slots.ts'
import { findItem } from '../items/find.ts'
import { typeOf } from '../types/find.ts'
import { translatedLocales } from './list.ts'
import { cut, readXliff, type XliffUnit } from './read-xliff.ts'
import { statesIn, type StatedTranslation } from './stamps.ts'
import { writeTranslations } from './write.ts'
import type { XliffHeader } from './write-xliff.ts'

type Import = Contract['translations']['import']
type Input = ParsedOf<Import>
type Report = TranslationsReport

// Refused units that a report lists.
const mostListed = 1000

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

function refusal({ itemId, path, startsAt: line }: XliffUnit, message: string): Report['refused'][number] {
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
  const states = statesIn(await typeOf(call, head), head).filter((one) => one.locale === locale)
  const { values, confirmed, unchanged, refused } = unitsByDeed(
    units,
    new Map(states.map((one) => [one.path, one])),
  )
  const packageName = scope.package?.name ?? ''
  if (values.size > 0) await writeTranslations(call, { head, packageName, locale, values })
  for (let at = 0; at < confirmed.length; at += limits.inList) {
    const paths = confirmed.slice(at, at + limits.inList)
    await call.invoke('translations.confirm', {
      configId: head.repositoryId,
      packageName,
      itemId,
      locale,
      paths,
    })
  }
  return { translated: values.size, confirmed: confirmed.length, unchanged, refused }
}

/** Units by what is to be done with them. */
interface UnitsByDeed {
  readonly values: ReadonlyMap<string, string>
  /** The paths of outdated translations that somebody has looked at and left as they are. */
  readonly confirmed: readonly string[]
  readonly unchanged: number
  readonly refused: Report['refused']
}

function unitsByDeed(
  units: readonly XliffUnit[],
  translations: ReadonlyMap<string, StatedTranslation>,
): UnitsByDeed {
  const refused: Report['refused'] = []
  const values = new Map<string, string>()
  const confirmed: string[] = []
  let unchanged = 0
  for (const unit of units) {
    const { path, target, isWorkedOn } = unit
    const translation = translations.get(path)
    if (!translation) refused.push(refusal(unit, 'the item has no text to translate at this path'))
    else if (translation.source !== unit.source)
      refused.push(refusal(unit, 'the source has changed since the file was made'))
    else if (target !== null && target !== translation.value) values.set(path, target)
    else if (target !== null && isWorkedOn && translation.state === 'outdated') confirmed.push(path)
    else unchanged += 1
  }
  return { values, confirmed, unchanged, refused }
}

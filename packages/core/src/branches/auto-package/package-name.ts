import { NewPackageName, parseAs, type AutoPackageRule } from '@quire/contract'
import { invalid } from '../../engine/check-input.ts'
import { liquidWithin, renderTemplate } from '../../engine/liquid.ts'

/** Bounds of a render (DESIGN "Repositories and content types"). */
const bounds = { parseLimit: 1000, renderLimit: 50, memoryLimit: 100_000 }

/** What a template of a name sees. */
export interface NameScope {
  readonly item: Readonly<Record<string, unknown>>
  readonly rule: Pick<AutoPackageRule, 'name'>
  /** YYYY-MM-DD, UTC. */
  readonly date: string
}

/** Errors: `invalid` naming the template when it cannot be read. */
export async function requireTemplate(template: string | null): Promise<void> {
  if (template === null) return
  const engine = await liquidWithin(bounds, { escape: false })
  try {
    engine.parse(template)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw invalid([{ path: 'packageNameTemplate', message: `cannot be read: ${why}` }])
  }
}

/** The name that a template gives, with a space for what a name cannot hold. Errors: `invalid` when nothing is left of it. */
export async function nameFrom(template: string, scope: NameScope): Promise<string> {
  const text = await rendered(template, scope)
  const plain = text
    .replace(/[^\p{L}\p{M}\p{N} _-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, 200)
    .replace(/^[^\p{L}\p{N}]+|[ ]+$/gu, '')
  return checkedName(plain, "the rule's template gives no name")
}

/** Errors: `invalid` naming the rule when its template fails on this item. */
async function rendered(template: string, scope: NameScope): Promise<string> {
  const engine = await liquidWithin(bounds, { escape: false })
  try {
    return await renderTemplate(engine, template, scope)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw invalid([{ path: 'ruleId', message: `the rule's template fails, give newPackageName: ${why}` }])
  }
}

/** A name as a new package may have it. Errors: `invalid` naming `newPackageName`. */
export function checkedName(name: string, otherwise?: string): string {
  const parsed = parseAs(NewPackageName, name)
  if ('value' in parsed) return parsed.value
  const message = otherwise ?? parsed.issues[0]?.message ?? 'is not a name'
  throw invalid([{ path: 'newPackageName', message }])
}

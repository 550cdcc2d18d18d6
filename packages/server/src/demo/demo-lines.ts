import { QuireError } from '@quire/contract'
import { anonymous, type Quire } from '@quire/core'
import { isReviewable, reviewer, reviewLink } from './reviewer.ts'
import { winterIssue } from './winter-issue.ts'

/** Where the lines are printed. */
export interface DemoOutput {
  /** Whether a person reads them. A log must not have an address that signs somebody in. */
  readonly isTerminal: boolean
  /** Whether the console is served. */
  readonly hasConsole: boolean
}

/**
 * The addresses of the demo's sites and of the package that waits for review, as far as they exist.
 * On a terminal, the last one signs the reviewer in, once. Elsewhere it is the command that prints
 * such an address.
 */
export async function demoLines(quire: Quire, { isTerminal, hasConsole }: DemoOutput): Promise<string> {
  const lines = [
    ...((await isServed(quire, 'magazine')) ? [`Site             ${siteUrl(quire)}`] : []),
    ...((await isServed(quire, 'docs')) ? [`Documentation    ${quire.baseUrl}/sites/docs/`] : []),
    ...(isTerminal ? await linkLines(quire, hasConsole) : await commandLines(quire)),
  ]
  return lines.length === 0 ? '' : `\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`
}

async function linkLines(quire: Quire, hasConsole: boolean): Promise<string[]> {
  const link = await reviewLink(quire, hasConsole)
  if (!link) return []
  return [
    `Review           ${link.url}`,
    `                 (the package ${winterIssue.packageName}; signs you in as ${reviewer}; valid once, for ${link.minutes} minutes)`,
  ]
}

async function commandLines(quire: Quire): Promise<string[]> {
  if (!(await isReviewable(quire))) return []
  const command = `${process.env['QUIRE_COMMAND'] ?? 'quire'} sign-in ${reviewer} --url ${quire.baseUrl}`
  return [
    `Review           ${command}  (prints an address that signs you in to review ${winterIssue.packageName})`,
  ]
}

/** The address of the demo's site. */
export function siteUrl({ baseUrl }: Quire): string {
  return `${baseUrl}/sites/magazine/`
}

async function isServed(quire: Quire, siteSlug: string): Promise<boolean> {
  try {
    await quire.as(anonymous).sites.serve({ siteSlug, path: '' })
    return true
  } catch (error) {
    if (error instanceof QuireError && error.status < 500) return false
    throw error
  }
}

import { QuireError } from '@quire/contract'
import { anonymous, type Quire } from '@quire/core'
import { reviewer, reviewLink } from './reviewer.ts'
import { winterIssue } from './winter-issue.ts'

/**
 * The addresses of the demo's site and of the package that waits for review, as far as they exist.
 */
export async function demoLines(quire: Quire): Promise<string> {
  const link = await reviewLink(quire)
  const lines = [
    ...((await isServed(quire)) ? [`Site             ${siteUrl(quire)}`] : []),
    ...(link
      ? [
          `Review           ${link.url}`,
          `                 (the changes of the package ${winterIssue.packageName}; signs you in as ${reviewer}; valid once, for ${link.minutes} minutes)`,
        ]
      : []),
  ]
  return lines.length === 0 ? '' : `\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`
}

/** The address of the demo's site. */
export function siteUrl({ baseUrl }: Quire): string {
  return `${baseUrl}/sites/magazine/`
}

async function isServed(quire: Quire): Promise<boolean> {
  try {
    await quire.as(anonymous).sites.serve({ siteSlug: 'magazine', path: '' })
    return true
  } catch (error) {
    if (error instanceof QuireError && error.status < 500) return false
    throw error
  }
}

import { QuireError, type Api, type MergeConflict, type MergeReport, type Resolution } from '@quire/contract'
import { mainLines, prepareMagazine, type Articles } from './content.ts'
import { conflictLine, reviewLines, type PackageRef } from './review.ts'

const configId = 'magazine'

/** Follows a package from its first edit to its revert, and reports each step as lines of text. */
export async function springIssue(quire: Api, notify: (line: string) => void): Promise<void> {
  const reportAll = (title: string, lines: readonly string[]) => {
    notify(title)
    for (const line of lines) notify(`  ${line}`)
  }
  const articles = await prepareMagazine(quire)
  const spring = await editInPackage(quire, articles)
  reportAll('main, while the package is open', await mainLines(quire))

  await editOnMain(quire, articles)
  reportAll('changes of the package', await reviewLines(quire, spring))
  reportAll('a merge', [await codeOf(quire.packages.merge(spring))])
  reportAll('conflicts', (await quire.packages.conflicts(spring)).items.map(conflictLine))

  const report = await mergeWith(quire, spring, oursForFields)
  reportAll('the merge, with decisions', reportLines(report))
  reportAll('main', await mainLines(quire))

  const { name: packageName } = await quire.packages.revert(spring)
  const back = { repo: spring.repo, packageName }
  reportAll(packageName, await reviewLines(quire, back))
  await quire.packages.merge(back)
  reportAll('main', await mainLines(quire))
}

/** Opens a package and updates, creates and deletes articles in it. */
async function editInPackage(quire: Api, { ink, margins }: Articles): Promise<PackageRef> {
  const { name: packageName } = await quire.packages.create({ repo: configId, name: 'spring-issue' })
  const inPackage = { configId, packageName }
  const title = 'Ink that forgets'
  await quire.items.update({ ...inPackage, id: ink, name: title, fields: { title, readingMinutes: 7 } })
  await quire.items.delete({ ...inPackage, id: margins })
  const fields = { title: 'A room at fifty per cent', readingMinutes: 3 }
  await quire.items.create({
    repositoryId: configId,
    packageName,
    type: 'article',
    name: fields.title,
    fields,
  })
  return { repo: configId, packageName }
}

/**
 * Meanwhile, somebody edits main: one field that the package did not change, and one that it did.
 */
async function editOnMain(quire: Api, { ink }: Articles): Promise<void> {
  const fields = { summary: 'On iron gall ink.', readingMinutes: 6 }
  await quire.items.update({ configId, id: ink, fields })
  await quire.items.publish({ configId, id: ink })
}

/**
 * Merges and publishes a package, with a decision for each conflict. The decisions apply only to
 * the state that was reviewed: if either side changes in between, the merge fails with 409
 * `plan_stale`.
 */
export async function mergeWith(
  quire: Api,
  ref: PackageRef,
  decide: (conflict: MergeConflict) => Resolution,
): Promise<MergeReport> {
  const { items, planId } = await quire.packages.conflicts(ref)
  return quire.packages.merge({ ...ref, planId, resolutions: items.map(decide), publish: true })
}

/** Uses the package's values, but main decides whether an item exists. */
export function oursForFields({ entity, path }: MergeConflict): Resolution {
  return { id: entity.id, path, use: path.startsWith('fields.') ? 'ours' : 'theirs' }
}

function reportLines({ changes }: MergeReport): string[] {
  return changes.map(({ kind, entity, version, published }) => {
    const what = version === null ? 'gone' : `v${version}${published ? ', published' : ''}`
    return `${kind} "${entity.name}": ${what}`
  })
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'done'
  } catch (error) {
    if (!(error instanceof QuireError)) throw error
    return `${error.status} ${error.code}, nothing was changed`
  }
}

import { contract, type Package } from '@quire/contract'
import { z } from 'zod'
import { bounds, fitting, shorten } from '../bounded.ts'
import { cursor, limit, repository, thePackage } from '../inputs.ts'
import { readOnly, tool, writesInPackage } from '../tool.ts'

const commented = contract.packages.addComment.input.shape

/** The packages of this agent, or all. */
export const packages = tool({
  name: 'packages',
  title: 'Packages',
  description:
    'List your packages with the state of their review, or all packages. Look here for what people sent back.',
  input: z.strictObject({
    repository,
    mine: z.boolean().default(true).describe('Only those that you made'),
    review: contract.packages.list.input.shape.review,
    limit,
    cursor,
  }),
  annotations: readOnly,
  async run({ api, options }, { repository: repo, mine, ...input }) {
    const agent = mine ? (await api.auth.myPermissions({}, options)).identity.id : undefined
    const { items, ...about } = await api.packages.list({ repo, ...input, agent }, options)
    return { about, content: { packages: items.map(packageView) } }
  },
})

function packageView({ name, description, state, review, agent, updatedDate }: Package): object {
  return { name, description: shorten(description, bounds.excerpt).value, state, review, agent, updatedDate }
}

/** What a package changes, and the address of its page diff. */
export const compare = tool({
  name: 'compare',
  title: 'Compare with main',
  description:
    'List what a package changes, field by field. With `pages` also returns the address of its pages before and after, for a person.',
  input: z.strictObject({
    repository,
    packageName: thePackage,
    pages: z.boolean().default(false),
    limit,
    cursor,
  }),
  annotations: readOnly,
  async run({ api, options, progress }, { repository: repo, packageName, pages, ...page }) {
    const steps = pages ? 2 : 1
    const { items, count, nextCursor } = await api.packages.diff({ repo, packageName, ...page }, options)
    await progress(1, steps, `${items.length} changes`)
    const changes = fitting(items.map((change) => shorten(change, bounds.excerpt).value))
    const diff = pages ? await api.packages.pageDiff({ repo, packageName }, options) : undefined
    if (diff) await progress(2, steps, 'pages')
    return {
      about: { count, nextCursor, left: items.length - changes.length, ...(diff && { pages: diff.url }) },
      content: { changes },
    }
  },
})

/** What the package and main both changed. */
export const conflicts = tool({
  name: 'conflicts',
  title: 'Conflicts with main',
  description:
    'List what both the package and main changed differently since. People resolve them when they merge.',
  input: z.strictObject({ repository, packageName: thePackage }),
  annotations: readOnly,
  async run({ api, options }, { repository: repo, packageName }) {
    const { count, items } = await api.packages.conflicts({ repo, packageName }, options)
    const some = fitting(items.map((conflict) => shorten(conflict, bounds.excerpt).value))
    return { about: { count, left: count - some.length }, content: { conflicts: some } }
  },
})

/** Hands a package over to people. */
export const requestReview = tool({
  name: 'request_review',
  title: 'Ask for review',
  description:
    'Ask people to review the package, with a summary of what you did and why. They approve and merge it, or send it back with comments.',
  input: z.strictObject({ repository, packageName: thePackage, summary: commented.body }),
  annotations: writesInPackage,
  async run({ api, options }, { repository: repo, packageName, summary }) {
    await api.packages.addComment({ repo, packageName, body: summary, decision: 'request' }, options)
    const { state, review } = await api.packages.get({ repo, packageName }, options)
    return { about: { packageName, state, review } }
  },
})

/** What people said of a package. */
export const comments = tool({
  name: 'comments',
  title: 'Read comments',
  description: 'List the comments on a package, and on items and fields in it.',
  input: z.strictObject({
    repository,
    packageName: thePackage,
    state: contract.packages.comments.input.shape.state.default('open'),
    limit,
    cursor,
  }),
  annotations: readOnly,
  async run({ api, options }, { repository: repo, ...input }) {
    const { items, ...about } = await api.packages.comments({ repo, ...input }, options)
    const some = fitting(items.map((comment) => shorten(comment, bounds.text).value))
    return { about: { ...about, left: items.length - some.length }, content: { comments: some } }
  },
})

/** Answers a comment, or says that it is done. */
export const comment = tool({
  name: 'comment',
  title: 'Comment',
  description:
    'Comment on a package, or on an item and a path in it; answer a comment (`parentId`) or resolve it (`resolve`).',
  input: z.strictObject({
    repository,
    packageName: thePackage,
    body: commented.body.optional(),
    entityId: commented.entityId,
    path: commented.path,
    parentId: commented.parentId,
    resolve: z.string().optional().describe('Id of a comment that you have dealt with'),
  }),
  annotations: writesInPackage,
  async run({ api, options }, { repository: repo, packageName, resolve, body, ...about }) {
    const added =
      body === undefined
        ? undefined
        : await api.packages.addComment({ repo, packageName, body, ...about }, options)
    if (resolve !== undefined)
      await api.packages.updateComment({ repo, packageName, id: resolve, state: 'resolved' }, options)
    return { about: { ...(added && { id: added.id }), ...(resolve !== undefined && { resolved: resolve }) } }
  },
})

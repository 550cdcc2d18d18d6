import { z } from 'zod'
import { BytesOut } from '../../binary.ts'
import { Id, listInput, listOf, publicAddressInput, UnixMs, UserRef } from '../../conventions.ts'
import { endpoint } from '../../endpoint.ts'
import { limits } from '../../limits.ts'
import { examplePackage, examplePackagePath } from './examples.ts'
import { onPackage } from './inputs.ts'

/** A link that shows a package to people without an account. */
export const ShareLink = z
  .object({
    id: Id,
    repositoryId: Id,
    packageName: z.string(),
    createdDate: UnixMs,
    createdByUser: UserRef.describe('Whoever opens the link sees what this account may read'),
    expiresAt: UnixMs,
  })
  .meta({ id: 'ShareLink', description: 'A link that shows a package to people without an account' })

/** A link that shows a package to people without an account. */
export type ShareLink = z.output<typeof ShareLink>

const exampleLink: ShareLink = {
  id: 'SHARE_01JB2QB0D4F6H8K0M2P4R6T8V0',
  repositoryId: examplePackage.repositoryId,
  packageName: examplePackage.name,
  createdDate: 1_790_000_800_000,
  createdByUser: examplePackage.createdByUser,
  expiresAt: 1_790_605_600_000,
}

const exampleToken = 'the-token-is-in-the-address-of-the-link'

/** Operations on the share links of a package. */
export const packageShareLinks = {
  shareLinks: endpoint({
    binding: 'GET /api/content/management/packages/{repo}/{packageName}/share-links',
    summary: 'List the links that show a package to people without an account',
    description: 'By id, oldest first. Expired links are left out. The addresses are not stored.',
    permission: { key: 'packages.update', on: 'repository' },
    input: z.strictObject({ ...onPackage, limit: listInput.limit, cursor: listInput.cursor }),
    output: listOf(ShareLink),
    errors: ['not_found'],
    example: { input: examplePackagePath, output: { count: 1, items: [exampleLink] } },
  }),
  addShareLink: endpoint({
    binding: 'POST /api/content/management/packages/{repo}/{packageName}/share-links',
    summary: 'Create a link that shows a package to people without an account',
    description:
      'Whoever has the address sees the pages of the package, and how they differ from those of main, as far as you may read them, and for as long as you may. ' +
      `They can change nothing. Only a hash of the address is stored. At most ${limits.shareLinks} links for a package; not for agents.`,
    permission: { key: 'packages.update', on: 'repository' },
    input: z.strictObject({
      ...onPackage,
      expiresAt: UnixMs.optional().describe(
        'When it stops working, Unix milliseconds: in 7 days by default, in 90 days at most',
      ),
    }),
    output: ShareLink.extend({ url: z.string().describe('The address, shown only in this response') }),
    success: 201,
    errors: ['not_found', 'invalid_state'],
    example: {
      input: examplePackagePath,
      output: { ...exampleLink, url: `https://quire.example.com/shared/${exampleToken}/` },
    },
  }),
  removeShareLink: endpoint({
    binding: 'DELETE /api/content/management/packages/{repo}/{packageName}/share-links/{id}',
    summary: 'Revoke a share link',
    description: 'Its address stops working at once.',
    permission: { key: 'packages.update', on: 'repository' },
    input: z.strictObject({ ...onPackage, id: Id.describe('The link') }),
    output: z.undefined(),
    success: 204,
    errors: ['not_found'],
    example: { input: { ...examplePackagePath, id: exampleLink.id } },
  }),
  shared: endpoint({
    binding: 'GET /shared/{token}/{path*}',
    summary: 'View what a share link shows',
    description:
      'Without a token of an account. An empty path is a page that leads to the others: `changes`, the pages compared with those of main (at most a minute old); `sites/{siteId}/…`, previews of the pages; and the files in them.',
    permission: 'public',
    input: publicAddressInput({
      token: z.string().min(1).max(limits.id).describe('The last part of the address of the link'),
      path: z.string().max(4000).default('').describe('What to show; empty: an overview'),
    }),
    output: BytesOut,
    answer: 'bytes',
    errors: ['not_found', 'invalid_state'],
    example: { input: { token: exampleToken, path: 'changes' } },
  }),
}

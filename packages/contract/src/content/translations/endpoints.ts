import { z } from 'zod'
import { BytesOut, FileIn } from '../../binary.ts'
import { Id, listInput, longListOf, PackageName } from '../../conventions.ts'
import { endpoint, onBranch } from '../../endpoint.ts'
import { limits } from '../../limits.ts'
import { exampleItem, exampleItemPath } from '../items/examples.ts'
import { comment, onRepository } from '../items/inputs.ts'
import { TranslatedItem, TranslationCounts, TranslationState, TranslationsReport } from './shapes.ts'

const { id, name, type, slug } = exampleItem
const { configId } = exampleItemPath
const exampleTranslated = { id, type, name, slug, version: 3 }

const state = z.array(TranslationState).min(1).max(3).optional()

const locale = z.string().min(1).max(limits.localeCode)

/** Operations on the translations of items, in repositories with locales. */
export const translations = {
  list: endpoint({
    binding: onBranch('GET /api/translations/{configId}'),
    summary: 'List items by the state of their translations',
    description:
      'Each item has the translations of the locale and the states that were asked for. A translation is outdated exactly if the value of its ' +
      'source, which is that of the default locale, differs from the one that the translation was made or last confirmed against. It goes by value: saves without a change, reverts and ' +
      'changes of the status make no translation outdated.',
    permission: { key: 'items.read', on: 'each' },
    input: z.strictObject({
      ...onRepository,
      locale: locale.optional().describe('A locale other than the default one. Default: all of them'),
      state: state.describe('The states: `missing,outdated`. Default: all'),
      type: z.string().max(limits.name).optional().describe('Only items of this content type'),
      itemId: Id.optional().describe('Only this item'),
      limit: listInput.limit,
      cursor: listInput.cursor,
      skipCount: listInput.skipCount.describe(
        'Leave out `count` and `counts`, which makes a long list cheaper',
      ),
    }),
    output: longListOf(TranslatedItem).extend({ counts: TranslationCounts.optional() }),
    errors: ['not_found'],
    example: {
      input: { configId, locale: 'de', state: ['outdated'] },
      output: {
        count: 1,
        counts: { de: { missing: 0, outdated: 1, current: 4 } },
        items: [
          {
            ...exampleTranslated,
            translations: [{ path: 'fields.title', locale: 'de', state: 'outdated' }],
          },
        ],
      },
    },
  }),
  confirm: endpoint({
    binding: onBranch('POST /api/translations/{configId}/confirm'),
    summary: 'Say that outdated translations are still right',
    description:
      'They are then current until their source changes again. The item gets no new version and stays published as it is.',
    permission: { key: 'items.update', on: 'item', to: 'change', byLocale: true },
    input: z.strictObject({
      ...onRepository,
      itemId: Id.describe('The item'),
      locale: locale.describe('The locale of the translations'),
      paths: z
        .array(z.string().min(1).max(limits.id))
        .min(1)
        .max(limits.inList)
        .optional()
        .describe('The paths of the translations: `fields.title`. Default: all of the locale'),
      baseVersion: z
        .int()
        .min(1)
        .optional()
        .describe(
          'The version that you have looked at. If it is not the newest one any more, the answer is 409',
        ),
      comment,
    }),
    output: TranslatedItem,
    errors: [
      'not_found',
      'version_conflict',
      'auto_package_required',
      'invalid_state',
      'precondition_failed',
      'idempotency_mismatch',
    ],
    example: {
      input: { configId, itemId: id, locale: 'de', paths: ['fields.title'] },
      output: {
        ...exampleTranslated,
        translations: [{ path: 'fields.title', locale: 'de', state: 'current' }],
      },
    },
  }),
  export: endpoint({
    binding: onBranch('POST /api/translations/{configId}/export'),
    withoutRoom: true,
    summary: 'Export texts to translate as XLIFF',
    description:
      'Streams XLIFF with a `file` for each item and a `unit` for each text, of the fields `text`, `richText` and the like, those in blocks included; lists of texts are left out. ' +
      'Only what you may read. HTML and Markdown are texts with their markup.',
    permission: { key: 'items.read', on: 'each' },
    input: z.strictObject({
      ...onRepository,
      locale: locale.describe('The locale to translate into'),
      state: state.describe('The states of the texts. Default: `missing,outdated`'),
      type: z.string().max(limits.name).optional().describe('Only items of this content type'),
      xliffVersion: z.enum(['2.1', '2.2']).default('2.1').describe('The version of XLIFF'),
    }),
    output: BytesOut,
    answer: 'bytes',
    errors: ['not_found'],
    example: { input: { configId, locale: 'de' } },
  }),
  import: endpoint({
    binding: onBranch('POST /api/translations/{configId}/import'),
    summary: 'Import translations from XLIFF into a package',
    description:
      'The body is XLIFF 2.1 or 2.2, at most 64 MiB, of the form of an export. Each item becomes one new version in the package `packageName`, for people to review and merge. ' +
      'A unit whose source has changed since, whose text is gone, or whose translation the item refuses is reported, and keeps no other from being written. ' +
      'A unit with the translation that the item has confirms it if its `state` is `translated`, `reviewed` or `final`.',
    permission: { key: 'items.update', on: 'each', byLocale: true },
    input: z.strictObject({
      ...onRepository,
      packageName: PackageName,
      dryRun: z.boolean().default(false).describe('Only answer what would happen'),
      file: FileIn,
    }),
    output: TranslationsReport,
    body: 'file',
    plansItself: true,
    errors: ['not_found', 'too_large', 'invalid_state'],
    example: {
      input: {
        configId,
        packageName: 'german',
        dryRun: true,
        file: new File(['<xliff/>'], 'magazine-de.xlf', { type: 'application/xliff+xml' }),
      },
      output: {
        items: 1,
        translated: 3,
        confirmed: 0,
        unchanged: 1,
        refuse: 1,
        refused: [
          {
            itemId: id,
            path: 'fields.title',
            line: 5,
            message: 'the source has changed since the file was made',
          },
        ],
      },
    },
  }),
}

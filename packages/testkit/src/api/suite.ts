import { afterAll, beforeAll, describe } from 'vitest'
import { folderTests } from './content/folders.ts'
import { taxonomyTests } from './content/taxonomies.ts'
import { categoryEventTests } from './content/category-events.ts'
import { referenceTests } from './content/references.ts'
import { accessTests } from './people/access.ts'
import { activityTests } from './automation/activity.ts'
import { agentTests } from './automation/agents.ts'
import { queryTests } from './content/queries.ts'
import { quotaTests } from './content/quotas.ts'
import { graphqlTests } from './delivery/graphql.ts'
import { healthTests } from './admin/health.ts'
import { indexTests } from './admin/indexes.ts'
import { integrationRightsTests } from './connections/integration-rights.ts'
import { integrationTests } from './connections/integrations.ts'
import { extractionTests } from './files/extraction.ts'
import { aiTests } from './connections/ai.ts'
import { aiBudgetTests } from './connections/ai-budgets.ts'
import { aiTaskTests } from './connections/ai-tasks.ts'
import { archiveTests } from './files/archives.ts'
import { assetFetchRefusalTests } from './files/asset-fetch-refusals.ts'
import { assetFetchTests } from './files/asset-fetches.ts'
import { assetPackageTests } from './files/asset-packages.ts'
import { assetReadTests } from './files/asset-reads.ts'
import { assetRightsTests } from './files/asset-rights.ts'
import { assetTests } from './files/assets.ts'
import { authTests } from './people/auth.ts'
import { autoPackageTests } from './branches/auto-package.ts'
import { budgetTests } from './people/budgets.ts'
import { branchOnlyTests } from './people/branch-only.ts'
import { badInputTests } from './content/bad-input.ts'
import { coverageTests } from './coverage.ts'
import { escalationTests } from './people/escalation.ts'
import { eventTests } from './automation/events.ts'
import { itemTests } from './content/items.ts'
import { itemStateTests } from './content/item-states.ts'
import { listTests } from './content/lists.ts'
import { previewTests } from './content/previews.ts'
import { onceTests } from './automation/idempotency.ts'
import { packageCommentTests } from './branches/package-comments.ts'
import { packageConflictTests } from './branches/package-conflicts.ts'
import { packageMergeTests } from './branches/package-merges.ts'
import { packageReviewTests } from './branches/package-reviews.ts'
import { packageRightsTests } from './branches/package-rights.ts'
import { transferFileTests } from './branches/transfer-files.ts'
import { transferExtentTests } from './branches/transfer-extents.ts'
import { transferHistoryTests } from './branches/transfer-history.ts'
import { transferTests } from './branches/transfer.ts'
import { packageShareLinkTests } from './branches/package-share-links.ts'
import { packageTakeBackTests } from './branches/package-take-back.ts'
import { packageVersionTests } from './branches/package-versions.ts'
import { packageTests } from './branches/packages.ts'
import { openBench, type Bench, type Coverage, type OpenApiHost } from './host.ts'
import { membershipTests } from './people/membership.ts'
import { peopleTests } from './people/people.ts'
import { processTests } from './automation/process.ts'
import { publishedTests } from './delivery/published.ts'
import { madePresetTests } from './files/made-presets.ts'
import { renditionTests } from './files/renditions.ts'
import { repositoryTests } from './content/repositories.ts'
import { rightsTests } from './people/rights.ts'
import { roleListTests } from './content/role-lists.ts'
import { securityTests } from './people/security.ts'
import { sessionTests } from './people/sessions.ts'
import { settingsTests } from './admin/settings.ts'
import { pageDiffTests } from './branches/page-diffs.ts'
import { siteMergeTests } from './delivery/sites-merges.ts'
import { siteNotFoundTests } from './delivery/sites-not-found.ts'
import { sitePageTests } from './delivery/sites-pages.ts'
import { siteLocaleTests } from './delivery/sites-locales.ts'
import { sitePreviewTests } from './delivery/sites-preview.ts'
import { sitePublishingTests } from './delivery/sites-publishing.ts'
import { siteSectionTests } from './delivery/sites-sections.ts'
import { siteServingTests } from './delivery/sites-served.ts'
import { siteTreeTests } from './delivery/sites-trees.ts'
import { siteTests } from './delivery/sites.ts'
import { longContentTests } from './content/long-content.ts'
import { toComeTests } from './content/to-come.ts'
import { pastTests } from './content/past.ts'
import { localeChangeTests } from './content/locale-changes.ts'
import { localePastTests } from './content/locale-past.ts'
import { localeDeliveryTests } from './content/locale-delivery.ts'
import { localeEventTests } from './content/locale-events.ts'
import { localeMergeTests } from './content/locale-merges.ts'
import { localePackageMoveTests } from './content/locale-package-moves.ts'
import { localePackageTests } from './content/locale-packages.ts'
import { localePublicationTests } from './content/locale-publications.ts'
import { localeRightsTests } from './content/locale-rights.ts'
import { localeSlugTests } from './content/locale-slugs.ts'
import { localeWayTests } from './content/locale-ways.ts'
import { localeTests } from './content/locales.ts'
import { translationTests } from './content/translations.ts'
import { xliffTests } from './content/xliff.ts'
import { rowTests } from './content/rows.ts'
import { schemaTests } from './content/schema.ts'
import { typeChangeTests } from './content/type-changes.ts'
import { typeTests } from './content/types.ts'
import { uploadMeanwhileTests } from './files/upload-meanwhile.ts'
import { uploadSlotTests } from './files/upload-slots.ts'
import { uploadTests } from './files/uploads.ts'
import { versionHistoryTests } from './content/version-histories.ts'
import { watchingTests } from './automation/watching.ts'
import { webhookRepeatTests } from './automation/webhook-repeats.ts'
import { webhookRightsTests } from './automation/webhook-rights.ts'
import { webhookTests } from './automation/webhooks.ts'
import { ownJobTests } from './automation/own-jobs.ts'
import { queueTests } from './automation/queue.ts'
import { workflowTests } from './automation/workflow.ts'
import { workflowCallbackTests } from './automation/workflow-callbacks.ts'
import { workflowConnectionTests } from './automation/workflow-connections.ts'
import { workflowDefinitionTests } from './automation/workflow-definitions.ts'
import { workflowEndTests } from './automation/workflow-ends.ts'
import { workflowFailureTests } from './automation/workflow-failures.ts'
import { workflowMergeTests } from './automation/workflow-merges.ts'
import { workflowPeopleTests } from './automation/workflow-people.ts'
import { workflowRuleTests } from './automation/workflow-rules.ts'

/** Tests that share a repository. */
function bothLocaleTests(bench: () => Bench): void {
  localeTests(bench)
  localeDeliveryTests(bench)
  localePublicationTests(bench)
  localePackageTests(bench)
  localePackageMoveTests(bench)
  localeRightsTests(bench)
  localeMergeTests(bench)
  translationTests(bench)
  xliffTests(bench)
  localeChangeTests(bench)
  localePastTests(bench)
  localeSlugTests(bench)
  localeWayTests(bench)
  localeEventTests(bench)
}

const parts = [
  itemTests,
  categoryEventTests,
  webhookTests,
  webhookRepeatTests,
  webhookRightsTests,
  queueTests,
  ownJobTests,
  workflowTests,
  workflowMergeTests,
  workflowRuleTests,
  workflowPeopleTests,
  workflowConnectionTests,
  workflowDefinitionTests,
  workflowFailureTests,
  workflowEndTests,
  workflowCallbackTests,
  itemStateTests,
  assetTests,
  assetReadTests,
  renditionTests,
  madePresetTests,
  archiveTests,
  assetPackageTests,
  assetRightsTests,
  assetFetchTests,
  assetFetchRefusalTests,
  uploadTests,
  uploadSlotTests,
  uploadMeanwhileTests,
  listTests,
  previewTests,
  typeTests,
  pastTests,
  toComeTests,
  bothLocaleTests,
  rowTests,
  schemaTests,
  typeChangeTests,
  longContentTests,
  packageTests,
  packageMergeTests,
  packageConflictTests,
  packageCommentTests,
  packageReviewTests,
  packageTakeBackTests,
  packageShareLinkTests,
  packageRightsTests,
  packageVersionTests,
  transferTests,
  transferExtentTests,
  transferFileTests,
  transferHistoryTests,
  versionHistoryTests,
  autoPackageTests,
  repositoryTests,
  securityTests,
  peopleTests,
  membershipTests,
  escalationTests,
  sessionTests,
  publishedTests,
  folderTests,
  taxonomyTests,
  siteTests,
  siteSectionTests,
  sitePageTests,
  siteTreeTests,
  siteMergeTests,
  sitePublishingTests,
  siteServingTests,
  sitePreviewTests,
  siteNotFoundTests,
  siteLocaleTests,
  pageDiffTests,
  referenceTests,
  activityTests,
  agentTests,
  eventTests,
  watchingTests,
  queryTests,
  graphqlTests,
  indexTests,
  processTests,
  accessTests,
  aiTests,
  aiBudgetTests,
  aiTaskTests,
  integrationTests,
  integrationRightsTests,
  settingsTests,
  quotaTests,
  healthTests,
  extractionTests,
  authTests,
  rightsTests,
  branchOnlyTests,
  budgetTests,
  roleListTests,
  onceTests,
  badInputTests,
]

/**
 * The API suite: the same calls, answers and errors over every transport. Each part has its own
 * host.
 */
export function apiSuite(name: string, open: OpenApiHost): void {
  const coverage: Coverage = {
    called: new Set(),
    counted: new Set(),
    uncounted: new Set(),
    errors: new Set(),
  }
  describe(`the API ${name}`, () => {
    for (const part of parts) {
      describe('on a new host', () => {
        let bench: Bench
        beforeAll(async () => {
          bench = await openBench(open, coverage)
        })
        afterAll(() => bench.scope.close())
        part(() => bench)
      })
    }
    coverageTests(coverage)
  })
}

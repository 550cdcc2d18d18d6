import { afterAll, beforeAll, describe } from 'vitest'
import { folderTests } from './folders.ts'
import { taxonomyTests } from './taxonomies.ts'
import { referenceTests } from './references.ts'
import { accessTests } from './access.ts'
import { activityTests } from './activity.ts'
import { queryTests } from './queries.ts'
import { graphqlTests } from './graphql.ts'
import { healthTests } from './health.ts'
import { indexTests } from './indexes.ts'
import { integrationRightsTests } from './integration-rights.ts'
import { integrationTests } from './integrations.ts'
import { extractionTests } from './extraction.ts'
import { aiTests } from './ai.ts'
import { aiBudgetTests } from './ai-budgets.ts'
import { aiTaskTests } from './ai-tasks.ts'
import { archiveTests } from './archives.ts'
import { assetPackageTests } from './asset-packages.ts'
import { assetReadTests } from './asset-reads.ts'
import { assetRightsTests } from './asset-rights.ts'
import { assetTests } from './assets.ts'
import { authTests } from './auth.ts'
import { autoPackageTests } from './auto-package.ts'
import { badInputTests } from './bad-input.ts'
import { coverageTests } from './coverage.ts'
import { escalationTests } from './escalation.ts'
import { eventTests } from './events.ts'
import { itemTests } from './items.ts'
import { itemStateTests } from './item-states.ts'
import { listTests } from './lists.ts'
import { onceTests } from './once.ts'
import { packageConflictTests } from './package-conflicts.ts'
import { packageMergeTests } from './package-merges.ts'
import { packageRightsTests } from './package-rights.ts'
import { packageTests } from './packages.ts'
import { openBench, type Bench, type Coverage, type OpenPlace } from './place.ts'
import { peopleTests } from './people.ts'
import { processTests } from './process.ts'
import { publishedTests } from './published.ts'
import { renditionTests } from './renditions.ts'
import { repositoryTests } from './repositories.ts'
import { rightsTests } from './rights.ts'
import { securityTests } from './security.ts'
import { sessionTests } from './sessions.ts'
import { settingsTests } from './settings.ts'
import { pageDiffTests } from './page-diffs.ts'
import { siteMergeTests } from './sites-merges.ts'
import { sitePageTests } from './sites-pages.ts'
import { sitePreviewTests } from './sites-preview.ts'
import { sitePublishingTests } from './sites-publishing.ts'
import { siteSectionTests } from './sites-sections.ts'
import { siteServingTests } from './sites-served.ts'
import { siteTreeTests } from './sites-trees.ts'
import { siteTests } from './sites.ts'
import { typeTests } from './types.ts'
import { uploadMeanwhileTests } from './upload-meanwhile.ts'
import { uploadTurnTests } from './upload-turns.ts'
import { uploadTests } from './uploads.ts'
import { watchingTests } from './watching.ts'
import { webhookRepeatTests } from './webhook-repeats.ts'
import { webhookRightsTests } from './webhook-rights.ts'
import { webhookTests } from './webhooks.ts'
import { queueTests } from './queue.ts'
import { workflowTests } from './workflow.ts'
import { workflowCallbackTests } from './workflow-callbacks.ts'
import { workflowConnectionTests } from './workflow-connections.ts'
import { workflowDefinitionTests } from './workflow-definitions.ts'
import { workflowFailureTests } from './workflow-failures.ts'
import { workflowMergeTests } from './workflow-merges.ts'
import { workflowPeopleTests } from './workflow-people.ts'
import { workflowRuleTests } from './workflow-rules.ts'

const parts = [
  itemTests,
  webhookTests,
  webhookRepeatTests,
  webhookRightsTests,
  queueTests,
  workflowTests,
  workflowMergeTests,
  workflowRuleTests,
  workflowPeopleTests,
  workflowConnectionTests,
  workflowDefinitionTests,
  workflowFailureTests,
  workflowCallbackTests,
  itemStateTests,
  assetTests,
  assetReadTests,
  renditionTests,
  archiveTests,
  assetPackageTests,
  assetRightsTests,
  uploadTests,
  uploadTurnTests,
  uploadMeanwhileTests,
  listTests,
  typeTests,
  packageTests,
  packageMergeTests,
  packageConflictTests,
  packageRightsTests,
  autoPackageTests,
  repositoryTests,
  securityTests,
  peopleTests,
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
  pageDiffTests,
  referenceTests,
  activityTests,
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
  healthTests,
  extractionTests,
  authTests,
  rightsTests,
  onceTests,
  badInputTests,
]

/** The one API suite: the same calls, answers and errors in every place. Each part has a place of its own. */
export function apiSuite(name: string, open: OpenPlace): void {
  const coverage: Coverage = { called: new Set(), errors: new Set() }
  describe(`the API ${name}`, () => {
    for (const part of parts) {
      describe('on a new place', () => {
        let bench: Bench
        beforeAll(async () => {
          bench = await openBench(open, coverage)
        })
        afterAll(() => bench.place.close())
        part(() => bench)
      })
    }
    coverageTests(coverage)
  })
}

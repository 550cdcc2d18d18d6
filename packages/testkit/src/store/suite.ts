import { describe } from 'vitest'
import { concurrentLaws } from './concurrent.ts'
import { cursorLaws } from './cursor.ts'
import { documentLaws } from './documents.ts'
import { edgeProperties } from './edge-properties.ts'
import { edgeLaws } from './edges.ts'
import { facetProperties } from './facet-properties.ts'
import { facetLaws } from './facets.ts'
import { filterLaws } from './filter.ts'
import { storeTest, type OpenStore } from './fixture.ts'
import { headLaws } from './heads.ts'
import { historyLaws } from './history.ts'
import { indexLaws } from './indexes.ts'
import { isolationLaws } from './isolation.ts'
import { jobLaws, jobRestartLaws } from './jobs.ts'
import { largeLaws } from './large.ts'
import { largeValueLaws } from './large-values.ts'
import { listProperties } from './list-properties.ts'
import { orderLaws } from './order.ts'
import { overlayLaws } from './overlay.ts'
import { packageLaws } from './packages.ts'
import { ephemeraLaws, journalLaws, lifetimeLaws, recordLaws } from './plain-data.ts'
import { raceLaws } from './race.ts'
import { readerLaws } from './reader.ts'
import { restartLaws } from './restart.ts'
import { rollbackLaws } from './rollback.ts'
import { searchLaws } from './search.ts'
import { searchPageLaws } from './search-pages.ts'
import { searchProperties } from './search-properties.ts'
import { searchWordLaws } from './search-words.ts'
import { textLaws } from './text.ts'
import { uniquenessLaws } from './uniqueness.ts'
import { maintenanceLaws } from './maintenance.ts'
import { usageLaws } from './usage.ts'

export type { OpenedStore, OpenStore } from './fixture.ts'

const sections = [
  headLaws,
  historyLaws,
  maintenanceLaws,
  usageLaws,
  recordLaws,
  journalLaws,
  ephemeraLaws,
  jobLaws,
  lifetimeLaws,
  orderLaws,
  cursorLaws,
  filterLaws,
  textLaws,
  searchLaws,
  searchWordLaws,
  searchPageLaws,
  searchProperties,
  facetLaws,
  facetProperties,
  listProperties,
  edgeLaws,
  edgeProperties,
  documentLaws,
  indexLaws,
  overlayLaws,
  packageLaws,
  readerLaws,
  uniquenessLaws,
  isolationLaws,
  rollbackLaws,
  raceLaws,
  concurrentLaws,
  largeLaws,
  largeValueLaws,
]

/** Declares the tests that every store must pass. `open` opens an empty store for each test. */
export function storeSuite(name: string, open: OpenStore): void {
  describe(`the store ${name}`, () => {
    const test = storeTest(open)
    for (const laws of sections) laws(test)
  })
}

/**
 * Declares the tests of stores that outlive their process. The stores that `open` returns must have
 * `reopen`.
 */
export function restartSuite(name: string, open: OpenStore): void {
  describe(`the store ${name}`, () => {
    const test = storeTest(open)
    restartLaws(test)
    jobRestartLaws(test)
  })
}

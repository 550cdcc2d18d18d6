import { getDependencies } from './dependencies.ts'
import { listReferringItems } from './items.ts'
import { listSiteReferences } from './sites.ts'

/** Who refers to an item, and where it is shown. */
export const references = { items: listReferringItems, sites: listSiteReferences }

/** What an item needs, and what needs it. */
export const dependencies = { get: getDependencies }

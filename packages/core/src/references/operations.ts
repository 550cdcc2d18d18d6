import { getDependencies } from './dependencies.ts'
import { listReferringItems } from './items.ts'

/** Who refers to an item. */
export const references = { items: listReferringItems }

/** What an item needs, and what needs it. */
export const dependencies = { get: getDependencies }

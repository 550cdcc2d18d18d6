import { z } from 'zod'
import { Id, RepositoryRef } from '../../conventions.ts'
import { crud, pageInput, patchOf } from '../../crud.ts'
import { endpoint } from '../../endpoint.ts'
import { exampleDraft } from '../../content/items/examples.ts'
import { examplePackage } from '../packages/examples.ts'
import { AutoPackagedItem, AutoPackageRule, createAndSaveInput, ruleMembers } from './shapes.ts'

const exampleRule: AutoPackageRule = {
  id: 'RULE_01JB2QC5E7G9J1K3M5N7P9R1T3',
  repositoryId: examplePackage.repositoryId,
  name: 'Published articles',
  types: ['article'],
  folders: [],
  statuses: ['published'],
  enabled: true,
  packageNameTemplate: '{{ item.slug }} {{ date }}',
  createdDate: 1_790_000_000_000,
  updatedDate: 1_790_000_000_000,
}

/** The save into a package that an auto-package rule requires. */
export const autoPackage = {
  createAndSave: endpoint({
    binding: 'POST /api/content/management/packages/auto-package/create-and-save',
    summary: 'Save an item into a package, as an auto-package rule requires',
    description:
      'A save to main that matches a rule (409 `auto_package_required`) must be sent here instead. The body is JSON, or multipart/form-data with the ' +
      'JSON in a part `data`. It is one transaction: if the save fails, no package is created.',
    permission: { key: ['items.create', 'items.update'], on: 'each', byLocale: true },
    input: z.strictObject(createAndSaveInput),
    output: AutoPackagedItem,
    body: 'jsonOrMultipart',
    errors: ['not_found', 'slug_taken', 'name_taken', 'invalid_state', 'idempotency_mismatch'],
    example: {
      input: {
        repositoryId: 'magazine',
        ruleId: exampleRule.id,
        item: { id: exampleDraft.id, fields: { readingMinutes: 7 } },
        packageAction: 'addToExisting',
        packageName: examplePackage.name,
      },
      output: {
        ...exampleDraft,
        packageName: examplePackage.name,
        autoPackage: {
          ruleId: exampleRule.id,
          ruleName: exampleRule.name,
          packageId: examplePackage.id,
          packageName: examplePackage.name,
          action: 'addToExisting',
          created: false,
        },
      },
    },
  }),
}

/** Rules that send saves to main into a package. */
export const autoPackageRules = crud({
  path: '/api/content/management/packages/auto-package/rules',
  on: { id: Id.describe('The rule') },
  one: 'an auto-package rule',
  many: 'the auto-package rules of a repository',
  view: { key: 'packages.view', on: 'each' },
  write: { key: 'admin.repositories.update', on: 'each' },
  output: AutoPackageRule,
  at: { id: exampleRule.id },
  example: exampleRule,
  list: {
    input: { repositoryId: RepositoryRef, ...pageInput },
    errors: ['not_found'],
    example: { repositoryId: 'magazine' },
  },
  create: {
    description: 'From then on, saves to main that match the rule are 409 `auto_package_required`.',
    input: z.strictObject({
      repositoryId: RepositoryRef,
      name: ruleMembers.name,
      types: ruleMembers.types.default([]),
      folders: ruleMembers.folders.default([]),
      statuses: ruleMembers.statuses.default([]),
      enabled: ruleMembers.enabled.default(true),
      packageNameTemplate: ruleMembers.packageNameTemplate.default(null),
    }),
    errors: ['not_found', 'name_taken', 'idempotency_mismatch'],
    example: {
      repositoryId: 'magazine',
      name: exampleRule.name,
      types: exampleRule.types,
      statuses: exampleRule.statuses,
      packageNameTemplate: exampleRule.packageNameTemplate,
    },
  },
  update: {
    description: 'Only the members that are sent change; lists are replaced as a whole.',
    input: patchOf(ruleMembers),
    example: { enabled: false },
  },
})

import type { Command } from 'commander'
import type { SchemaApplyOptions, SchemaPlanOptions, SchemaPullOptions } from './schema.ts'
import { addConnectionFlags } from './storage-flags.ts'

/** Adds `quire schema` with its four commands. */
export function addSchema(quire: Command): void {
  const schema = quire.command('schema').description('content types as code')
  const pull = schema
    .command('pull')
    .description('write the content types as a TypeScript module, or as JSON')
    .option('--out <file>', 'file to write (default: standard output)')
    .option('--force', 'replace a file that exists', false)
    .action(async (options: SchemaPullOptions) => {
      const { pullSchema } = await import('./schema.ts')
      await pullSchema(options)
    })
  const plan = withSchema(schema.command('plan'))
    .description('print what a schema would change in the content types and items')
    .action(async (file: string, options: SchemaPlanOptions) => {
      const { planSchema } = await import('./schema.ts')
      await planSchema(file, options)
    })
  const apply = withSchema(schema.command('apply'))
    .description('make the content types as a schema says')
    .option('--plan <id>', 'apply it only if the plan is still this one')
    .option('--migrate', 'convert the items that do not fit', false)
    .action(async (file: string, options: SchemaApplyOptions) => {
      const { applySchema } = await import('./schema.ts')
      await applySchema(file, options)
    })
  const check = withSchema(schema.command('check'))
    .description('fail when the content types are not as a schema says')
    .action(async (file: string, options: SchemaPlanOptions) => {
      const { checkSchema } = await import('./schema.ts')
      await checkSchema(file, options)
    })
  for (const command of [pull, plan, apply, check]) addConnectionFlags(command)
}

function withSchema(command: Command): Command {
  return command
    .argument('<file>', 'TypeScript or JavaScript module that exports `schema`, or JSON')
    .option('--prune', 'also delete the content types that the schema does not name', false)
    .option('--background', 'with --url: compare in a job of the service, with progress', false)
}

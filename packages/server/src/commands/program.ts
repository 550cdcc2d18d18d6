import { Command, CommanderError, Option } from 'commander'
import type { BackupOptions } from './backup.ts'
import type { RestoreOptions } from './restore.ts'
import type { DoctorOptions } from './doctor.ts'
import { egressOption, logOption, parseJson, parseUrl, renditionCacheOption } from './flags.ts'
import type { ExportOptions } from './export.ts'
import type { ImportFileOptions } from './import-file.ts'
import type { ImportOptions } from './import.ts'
import type { MigrateStoreOptions } from './migrate-store.ts'
import type { AccountOptions } from './service-account.ts'
import type { ServeOptions } from './serve.ts'
import { addServeFlags } from './serve-flags.ts'
import { addSignInFlags } from './sign-in-flags.ts'
import type { SignInOptions } from './sign-in.ts'
import { addConnectionFlags, addStorageFlags, dataOption } from './storage-flags.ts'
import { addSchema } from './schema-flags.ts'
import { addMcp, addToken } from './service-flags.ts'
import type { TypesOptions } from './types.ts'
import type { UploadCommandOptions } from './upload.ts'
import type { WorkerOptions } from './worker.ts'
import { completeEnvironment } from './environment.ts'
import { withPackage } from '../optional-package.ts'
import { serverVersion } from '../version.ts'
import { reportFailure } from './report-failure.ts'

/**
 * Runs the `quire` command. Each command loads its own code when it runs: `serve` does not load the
 * importer.
 * Exit codes: 0 done, 1 failed, 2 wrong usage.
 */
export async function runCommand(argv: readonly string[]): Promise<void> {
  // Files that a command creates (database, key, account) are readable by their owner only.
  process.umask(0o077)
  try {
    completeEnvironment(argv, process.env)
    await program().parseAsync(argv)
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
    else reportFailure(error)
  }
}

function program(): Command {
  const quire = new Command('quire')
    .description('A content engine: library and REST service')
    .version(serverVersion())
    // Read before the flags are parsed: see `completeEnvironment`.
    .option('--env-file <file>', 'file with variables, one NAME=value per line')
    .exitOverride()
  addServe(quire)
  addWorker(quire)
  addExport(quire)
  addImport(quire)
  addUpload(quire)
  addTypes(quire)
  addSchema(quire)
  addOpenApi(quire)
  addServiceAccount(quire)
  addToken(quire)
  addMcp(quire)
  addSignIn(quire)
  addDoctor(quire)
  addBackup(quire)
  addRestore(quire)
  addMigrateStore(quire)
  return quire
}

function addServe(quire: Command): void {
  const command = quire.command('serve').description('serve the API')
  addServeFlags(command)
  addStorageFlags(command)
  addSignInFlags(command).action(async (options: ServeOptions) => {
    const { serve } = await import('./serve.ts')
    await serve(options)
  })
}

function addWorker(quire: Command): void {
  const command = quire
    .command('worker')
    .description(
      'run the jobs of the queue without serving; on PostgreSQL, next to servers and other workers',
    )
    .addOption(
      new Option('--base-url <url>', 'public address of the service')
        .env('QUIRE_BASE_URL')
        .argParser(parseUrl),
    )
    .addOption(renditionCacheOption())
    .addOption(egressOption())
    .addOption(logOption())
    .option('--once', 'exit when no job is due any more', false)
  addStorageFlags(command).action(async (options: WorkerOptions) => {
    const { work } = await import('./worker.ts')
    await work(options)
  })
}

function addExport(quire: Command): void {
  const command = quire
    .command('export')
    .description('export a repository, or a part of it, as one ZIP file or as a folder')
    .argument('<file>', 'the file or folder to write')
    .requiredOption('--repository <name>', 'repository, by id or name')
    .option('--package <name>', 'only what this package changes')
    .option('--folder <id>', 'only this folder and all in it')
    .option('--query <json>', 'only the items that this list finds: {"type":"article"}', parseJson)
    .option('--dir', 'write a folder with one file an item, for version control', false)
    .addOption(
      new Option('--history', 'include earlier versions and the activity').default(false).conflicts('dir'),
    )
    .option('--no-files', 'leave out the files of assets')
    .action(async (file: string, options: ExportOptions) => {
      const { exportRepository } = await import('./export.ts')
      await exportRepository(file, options)
    })
  addConnectionFlags(command)
}

function addImport(quire: Command): void {
  const command = quire
    .command('import')
    .description('import an exported ZIP file or folder, or a folder of Markdown with YAML front matter')
    .argument('<source>', 'the file or the folder')
    .requiredOption('--repository <name>', 'repository, by id or name')
    .option('--type <name>', 'content type of a folder, by id or name')
    .option('--dry-run', 'print what would happen and change nothing', false)
    .option('--plan <id>', 'apply a file only if its plan is still this one')
    .option('--package <name>', 'put the changes of a file into this new package')
    .option('--prune', 'also delete what a file does not contain', false)
    .option('--role <old=new...>', 'role to use here for a role of a file', [])
    .action(async (source: string, options: ImportFileOptions & Partial<ImportOptions>) => {
      const { importSource } = await import('./import-source.ts')
      await importSource(source, options)
    })
  addConnectionFlags(command)
}

function addUpload(quire: Command): void {
  const command = quire
    .command('upload')
    .description('upload files as assets; resumes interrupted uploads')
    .argument('<files...>', 'the files')
    .requiredOption('--repository <name>', 'repository, by id or name')
    .option('--type <name>', 'content type (default: the only one that accepts such a file)')
    .option('--package <name>', 'package to upload into')
    .option('--folder <id>', 'folder to upload into')
    .action(async (files: string[], options: UploadCommandOptions) => {
      const { uploadFiles } = await import('./upload.ts')
      await uploadFiles(files, options)
    })
  addConnectionFlags(command)
}

function addTypes(quire: Command): void {
  const command = quire
    .command('types')
    .description('write TypeScript types for the content types of a repository')
    .requiredOption('--repository <name>', 'repository, by id or name')
    .option('--out <file>', 'file to write (default: standard output)')
    .option('--check', 'write nothing, and fail when the file is out of date', false)
    .action(async (options: TypesOptions) => {
      const { writeTypes } = await import('./types.ts')
      await writeTypes(options)
    })
  addConnectionFlags(command)
}

const baseUrlOption = () =>
  new Option('--base-url <url>', 'public address of the service')
    .env('QUIRE_BASE_URL')
    .default('http://127.0.0.1:3000')
    .argParser(parseUrl)

function addOpenApi(quire: Command): void {
  quire
    .command('openapi')
    .description('print the OpenAPI 3.1 document')
    .addOption(baseUrlOption())
    .action(async ({ baseUrl }: { baseUrl: string }) => {
      const { openApiText } = await import('../explorer/document-text.ts')
      process.stdout.write(`${await openApiText(baseUrl)}\n`)
    })
}

function addServiceAccount(quire: Command): void {
  const command = quire
    .command('service-account')
    .description('service accounts of a data folder that no server uses, or of a database')
    .command('create')
    .description('create a service account and print its secret, which cannot be shown again')
    .requiredOption('--name <name>', 'display name')
    .option('--role <name...>', 'roles, by id or name', [])
    .option('--bundle <name...>', 'permission bundles: bundle.viewer, bundle.editor…', [])
    .option('--branch-only', 'let the account change content in packages alone, whatever its roles grant')
  addStorageFlags(command).action(async (options: AccountOptions) => {
    const { createServiceAccount } = await import('./service-account.ts')
    await createServiceAccount(options)
  })
}

function addSignIn(quire: Command): void {
  const command = quire
    .command('sign-in')
    .description('print a one-time address that signs a user in')
    .argument('<email>', 'email address of the user')
    .option('--create', 'create the user if it does not exist', false)
    .option('--role <name...>', 'roles of the created user, by id or name', [])
    .addOption(baseUrlOption())
    .action(async (email: string, options: SignInOptions) => {
      const { signIn } = await import('./sign-in.ts')
      await signIn(email, options)
    })
  addConnectionFlags(command)
}

function addDoctor(quire: Command): void {
  const command = quire
    .command('doctor')
    .description('check the data folder, the database and the binaries')
    .option('--json', 'print the findings as JSON', false)
    .option('--security', 'print who has dangerous permissions, and why', false)
  addStorageFlags(command).action(async (options: DoctorOptions) => {
    const { doctor } = await import('./doctor.ts')
    await doctor(options)
  })
}

function addBackup(quire: Command): void {
  quire
    .command('backup')
    .description('back up a data folder, also while it is served, and only what has changed')
    .argument('<folder>', 'the folder of the backup')
    .addOption(dataOption('the data folder'))
    .option('--fast', 'use the whole machine instead of giving way to a server', false)
    .action(async (folder: string, options: BackupOptions) => {
      const { makeBackup } = await import('./backup.ts')
      await makeBackup(folder, options)
    })
}

function addRestore(quire: Command): void {
  quire
    .command('restore')
    .description('put a backup into an empty data folder, and examine it')
    .argument('<folder>', 'the folder of the backup')
    .addOption(dataOption('the data folder'))
    .action(async (folder: string, options: RestoreOptions) => {
      const { restoreBackup } = await import('./restore.ts')
      await restoreBackup(folder, options)
    })
}

function addMigrateStore(quire: Command): void {
  const command = quire
    .command('migrate-store')
    .description('copy a data folder that no server uses to PostgreSQL and, with --blobs, to a bucket')
    .option('--verify', 'copy nothing, and compare an earlier copy with its source', false)
  addStorageFlags(command).action(async (options: MigrateStoreOptions) => {
    const { migrateStore } = await withPackage('@quire/store-postgres', () => import('./migrate-store.ts'))
    await migrateStore(options)
  })
}

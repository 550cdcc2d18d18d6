import { join } from 'node:path'
import ts from 'typescript-5'

const root = join(import.meta.dirname, '../..')
/** A file that does not exist, beside the sources of the client. */
const file = join(root, 'packages/client/src/program-in-an-editor.ts')

/** What an editor shows for a program, in which `‸` is the position of the cursor. */
export function openEditor(): (program: string) => Editing {
  let code = ''
  let version = 0
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => ({
      strict: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      customConditions: ['quire-source'],
      allowImportingTsExtensions: true,
      lib: ['lib.es2024.d.ts', 'lib.webworker.d.ts'],
      types: [],
    }),
    getScriptFileNames: () => [file],
    getScriptVersion: (name) => (name === file ? String(version) : '1'),
    getScriptSnapshot: (name) => {
      const text = name === file ? code : ts.sys.readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => (name === file ? code : ts.sys.readFile(name)),
    directoryExists: (name) => ts.sys.directoryExists(name),
    getDirectories: (name) => ts.sys.getDirectories(name),
    realpath: (name) => ts.sys.realpath?.(name) ?? name,
  }
  const service = ts.createLanguageService(host)
  return (program) => {
    const position = program.indexOf('‸')
    code = program.replace('‸', '')
    version += 1
    return {
      hover: () => textOf(service.getQuickInfoAtPosition(file, position)),
      completions: () => {
        const found = service.getCompletionsAtPosition(file, position, {})?.entries ?? []
        return new Map(found.map(({ name }) => [name, documentationOf(service, position, name)]))
      },
    }
  }
}

interface Editing {
  readonly hover: () => string
  /** The documentation of each completion, by its name. */
  readonly completions: () => ReadonlyMap<string, string>
}

function documentationOf(service: ts.LanguageService, position: number, name: string): string {
  const details = service.getCompletionEntryDetails(file, position, name, {}, undefined, {}, undefined)
  return ts.displayPartsToString(details?.documentation)
}

/** The signature, the documentation and the tags, each on its own lines. */
function textOf(info: ts.QuickInfo | undefined): string {
  const tags = (info?.tags ?? []).map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`)
  return [
    ts.displayPartsToString(info?.displayParts),
    ts.displayPartsToString(info?.documentation),
    ...tags,
  ].join('\n')
}

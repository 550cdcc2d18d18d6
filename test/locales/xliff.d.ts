/** What the test uses of the library, which has no types. */
declare module 'xliff' {
  export function xliff2js(text: string): Promise<{ resources: Record<string, Record<string, object>> }>
  export function js2xliff(document: object, options: object): Promise<string>
}

/**
 * Patterns of text fields run on RE2 (linear in the length of the text), never on the host's backtracking engine:
 * a pattern that takes exponential time cannot be written (TRUST S16). Loaded when the first pattern is used.
 */
export async function matchesPattern(pattern: string, text: string): Promise<boolean> {
  const { RE2JS } = await import('re2js')
  return RE2JS.compile(pattern).matcher(text).matches()
}

/** What is wrong with a pattern; null when it can be used. Look-around and back-references are not part of RE2. */
export async function patternProblem(pattern: string): Promise<string | null> {
  const { RE2JS } = await import('re2js')
  try {
    RE2JS.compile(pattern)
    return null
  } catch (error) {
    return `is no RE2 pattern: ${error instanceof Error ? error.message : 'unknown syntax'}`
  }
}
